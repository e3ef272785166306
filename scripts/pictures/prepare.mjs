// node scripts/pictures/prepare.mjs FOLDER: makes the site's pictures from the PNGs that render.py wrote to FOLDER.
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";

const renders = resolve(process.argv[2] ?? "renders");
const web = join(import.meta.dirname, "../../packages/web");
const pictures = join(web, "app/pictures");
const samples = join(pictures, "samples");
for (const folder of [samples, join(web, "public/social")]) mkdirSync(folder, { recursive: true });

const render = (name) => sharp(join(renders, `${name}.png`));
const webp = { quality: 78, effort: 6, smartSubsample: true };

/** Covers and banners, in the two widths of `lib/pictures.ts`. */
for (const name of ["still-life", "glass", "weave", "curve", "basis", "bounce", "letter"])
  for (const width of [720, 1280])
    await render(name)
      .resize(width, Math.round((width * 2) / 3))
      .webp(webp)
      .toFile(join(pictures, `${name}-${width}.webp`));
await render("darkroom").resize(800, 1000).webp(webp).toFile(join(pictures, "darkroom-800.webp"));

/** The studio's samples: as from a camera, with sensor noise, and one that is too small. */
await grained(render("still-life").resize(1280)).then((photo) =>
  photo.jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toFile(join(samples, "still-life.jpg")),
);
await render("brush").resize(1280).jpeg({ quality: 94 }).toFile(join(samples, "brush.jpg"));
await render("glass")
  .extract(cropOf({ left: 0.22, top: 0.06, width: 0.56 }, await render("glass").metadata()))
  .resize(360)
  .jpeg({ quality: 92 })
  .toFile(join(samples, "glasses-small.jpg"));
await render("letter").resize(1024).png({ compressionLevel: 9 }).toFile(join(samples, "letter.png"));
for (const file of ["still-life.jpg", "brush.jpg", "glasses-small.jpg", "letter.png"])
  await sharp(join(samples, file))
    .resize(80, 80, { position: "centre" })
    .webp({ quality: 80 })
    .toFile(join(samples, file.replace(/[.]\w+$/, ".thumb.webp")));

/** The mark for home screens and search engines. */
const mark = readFileSync(join(web, "public/favicon.svg"));
for (const side of [192, 512])
  await sharp(mark, { density: 1152 })
    .resize(side)
    .png({ palette: true })
    .toFile(join(web, `public/icon-${side}.png`));
// Systems crop a maskable icon to their own shape: the mark stays within the middle 80 %.
await sharp(mark, { density: 1152 })
  .resize(360)
  .extend({ top: 76, bottom: 76, left: 76, right: 76, background: "#1b1715" })
  .flatten({ background: "#1b1715" })
  .png({ palette: true })
  .toFile(join(web, "public/icon-maskable-512.png"));
await sharp({ create: { width: 180, height: 180, channels: 3, background: "#fbf9f6" } })
  .composite([{ input: await sharp(mark, { density: 1152 }).resize(140).toBuffer() }])
  .png({ palette: true })
  .toFile(join(web, "public/apple-touch-icon.png"));

/** Adds the noise of a good sensor at about ISO 400: the render is cleaner than any photograph. */
async function grained(picture) {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  let state = 1856; // fixed seed, for a reproducible picture
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let at = 0; at < data.length; at += info.channels) {
    const grain = (random() + random() + random() + random() - 2) * 3.4;
    for (let channel = 0; channel < 3; channel++)
      data[at + channel] = Math.max(0, Math.min(255, Math.round(data[at + channel] + grain + (random() - 0.5) * 3)));
  }
  return sharp(data, { raw: info });
}

function cropOf({ left, top, width }, { width: widthPx, height: heightPx }) {
  const across = Math.round(widthPx * width);
  return {
    left: Math.round(widthPx * left),
    top: Math.round(heightPx * top),
    width: across,
    height: Math.round((across * 2) / 3),
  };
}
