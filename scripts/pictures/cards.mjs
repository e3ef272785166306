// node scripts/pictures/cards.mjs: draws the social cards, 1200 x 630, from the covers and the site's own fonts.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import sharp from "sharp";

const root = join(import.meta.dirname, "../..");
const web = join(root, "packages/web");
const social = join(web, "public/social");
mkdirSync(social, { recursive: true });

const base64 = (path) => readFileSync(path).toString("base64");
const font = (family, file) =>
  `@font-face { font-family: ${family}; font-weight: 100 900; src: url(data:font/woff2;base64,${base64(
    join(root, "node_modules/@fontsource-variable", file),
  )}) }`;
const styles = `${font("Fraunces", "fraunces/files/fraunces-latin-opsz-normal.woff2")}
${font("Inter", "inter/files/inter-latin-wght-normal.woff2")}
body { margin: 0; width: 1200px; height: 630px; background: #141110; color: #ece6dd; overflow: hidden; position: relative; }
img { position: absolute; inset: 0 0 0 auto; width: 760px; height: 630px; object-fit: cover; }
.shade { position: absolute; inset: 0; background: linear-gradient(90deg, #141110 38%, rgb(20 17 16 / 82%) 52%, transparent 78%); }
.edge { position: absolute; inset: 26px; border: 1px solid rgb(255 240 220 / 22%); border-radius: 22px; corner-shape: bevel; }
.text { position: absolute; left: 78px; top: 84px; bottom: 80px; width: 590px; display: flex; flex-direction: column; }
h1 { font: 500 64px/1.08 Fraunces; letter-spacing: -0.02em; margin: auto 0 0; text-wrap: balance; }
p { font: 400 25px/1.4 Inter; color: #b8afa4; margin: 20px 0 0; text-wrap: pretty; }
.mark { font: 600 42px/1 Fraunces; letter-spacing: -0.02em; background: linear-gradient(100deg, #e8a33d, #ff6a4d 52%, #c4618f); background-clip: text; color: transparent; align-self: flex-start; padding-bottom: 8px; }`;

const cards = [
  {
    name: "site",
    picture: "still-life",
    title: "Images done right, while you wait",
    line: "Compress, resize, upscale and cut out images",
  },
  {
    name: "blog",
    picture: "weave",
    title: "Image formats, taken apart",
    line: "Six articles, with figures we measured",
  },
  {
    name: "api",
    picture: "basis",
    title: "Everything is an API call",
    line: "One call per tool, with or without an account",
  },
  ...readdirSync(join(web, "app/content/articles")).map((file) => {
    const head = readFileSync(join(web, "app/content/articles", file), "utf8");
    const field = (name) => new RegExp(`^${name}: (.+)$`, "m").exec(head)?.[1] ?? "";
    const [title, line] = field("title").split(/(?<=[?:])\s/, 2);
    return {
      name: field("slug"),
      picture: field("cover_image"),
      title: title.replace(/:$/, ""),
      line: line ? line[0].toUpperCase() + line.slice(1) : "",
    };
  }),
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
for (const { name, picture, title, line } of cards) {
  const image = base64(join(web, `app/pictures/${picture}-1280.webp`));
  await page.setContent(`<style>${styles}</style><img src="data:image/webp;base64,${image}" alt="">
<div class="shade"></div><div class="edge"></div>
<div class="text"><span class="mark">Tintype</span><h1>${title}</h1><p>${line}</p></div>`);
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot();
  await sharp(png)
    .jpeg({ quality: 82, mozjpeg: true })
    .toFile(join(social, `${name}.jpg`));
}
await browser.close();
