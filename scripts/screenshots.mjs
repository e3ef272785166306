// npm run screenshots [-- --base=http://localhost:3000 --only=faqs --out=FOLDER]: every page of the built site
// (`npm run build` first) at three widths in both lights, for the eye. They are not kept in the repository.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { startSite } from "./running-site.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    base: { type: "string" },
    only: { type: "string" },
    out: { type: "string", default: join(root, "test-results/screenshots") },
  },
});
const widths = [390, 820, 1440];
const heights = { 390: 844, 820: 1180, 1440: 900 };

const { origin, stop } = await startSite(values.base);
mkdirSync(values.out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>[^<]*?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, path]) => path || "/");
  const pages = [...listed, "/nothing-here", "/blog/nothing-here"].map((path) => ({ name: nameOf(path), path }));
  const states = [
    ...pages.map(({ name, path }) => ({ name, path, prepare: async () => {} })),
    { name: "home-menu", path: "/", prepare: openMenu },
    { name: "login", path: "/", prepare: openLogin },
    { name: "studio", path: "/", prepare: useStudio },
    { name: "batch", path: "/", prepare: useBatch },
  ].filter(({ name }) => !values.only || values.only.split(",").includes(name));

  for (const { name, path, prepare } of states)
    for (const width of widths)
      for (const colorScheme of ["light", "dark"]) {
        const page = await browser.newPage({
          viewport: { width, height: heights[width] },
          colorScheme,
          reducedMotion: "reduce",
          extraHTTPHeaders: {
            "x-forwarded-for": `2001:db8:${states.findIndex((state) => state.name === name)}:${width}::1`,
          },
        });
        await page.goto(origin + path, { waitUntil: "networkidle" });
        await prepare(page);
        const isWhole = prepare.name === "prepare";
        if (isWhole) await scrollThrough(page);
        await page.screenshot({ path: join(values.out, `${name}-${width}-${colorScheme}.png`), fullPage: isWhole });
        await page.close();
      }
  console.log(`${values.out}: ${states.length} pages and states, ${states.length * widths.length * 2} pictures`);
} finally {
  await browser.close();
  await stop();
}

function nameOf(path) {
  return path === "/" ? "home" : path.slice(1).replaceAll("/", "-");
}

async function openMenu(page) {
  const menu = page.getByRole("button", { name: "Open menu" });
  if (await menu.isVisible()) await menu.click();
}

async function openLogin(page) {
  await page.getByRole("button", { name: "Get Started" }).first().click();
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(300);
}

/** Compresses one of our samples, and shows it before and after. */
async function useStudio(page) {
  await page.getByRole("button", { name: "Make it lighter" }).click();
  await page.getByText("still-life.jpg").first().waitFor();
  await page.getByRole("button", { name: "Submit" }).click();
  const download = page.getByRole("button", { name: /^Download/ }).first();
  await download.waitFor({ timeout: 60_000 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.mouse.move(5, 5);
  await page.waitForTimeout(600);
}

/** Compresses as many pictures as a guest may, and shows the first beside its original. */
async function useBatch(page) {
  const pictures = join(root, "packages/web/app/pictures");
  const files = [
    "samples/still-life.jpg",
    "samples/brush.jpg",
    "samples/letter.png",
    "weave-1280.webp",
    "glass-1280.webp",
  ];
  await page
    .getByLabel("Pictures", { exact: true })
    .first()
    .setInputFiles(files.map((file) => join(pictures, file)));
  await page
    .getByRole("textbox", { name: "Quality" })
    .or(page.getByRole("spinbutton", { name: "Quality" }))
    .fill("70");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("button", { name: "Download all" }).waitFor({ timeout: 120_000 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.mouse.move(5, 5);
  await page.waitForTimeout(600);
}

/** Pictures further down are loaded when they come into view. */
async function scrollThrough(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 500) {
      window.scrollTo(0, y);
      await new Promise((done) => setTimeout(done, 60));
    }
    window.scrollTo(0, 0);
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
}
