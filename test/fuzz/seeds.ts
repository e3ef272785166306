import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { bmpFile } from "../../packages/codecs/src/testing/bmp-file.ts";
import { rgbIcon } from "../../packages/codecs/src/testing/icon-file.ts";
import { heicFile } from "../../packages/imaging/src/testing/heic-file.ts";
import { jp2File } from "../../packages/imaging/src/testing/jp2-file.ts";
import { jxlFile } from "../../packages/imaging/src/testing/jxl-file.ts";
import { pdfFile } from "../../packages/imaging/src/testing/pdf-file.ts";
import { psdFile } from "../../packages/imaging/src/testing/psd-file.ts";

export type Seed = { name: string; bytes: Uint8Array };

const drawing = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="60" height="40" viewBox="0 0 60 40">
<defs><linearGradient id="g"><stop offset="0" stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>
<pattern id="p" width="5" height="5"><circle cx="2" cy="2" r="1"/></pattern><filter id="f"><feGaussianBlur stdDeviation="1"/></filter>
<clipPath id="c"><rect width="30" height="30"/></clipPath><mask id="m"><rect width="60" height="40" fill="#fff"/></mask></defs>
<style>.a{fill:url(#g)}</style><rect class="a" width="60" height="40"/><g filter="url(#f)" clip-path="url(#c)"><circle cx="20" cy="20" r="9" fill="url(#p)"/></g>
<text x="5" y="30" font-size="9">Text</text><use xlink:href="#g"/><path mask="url(#m)" d="M0 0L10 10C20 20 30 0 40 9z"/></svg>`;

/** A small file of every input format, with the features that make decoders branch: palettes, alpha, pages, frames, profiles. */
export async function madeSeeds(): Promise<Seed[]> {
  const [width, height] = [48, 32];
  const pixels = Buffer.alloc(width * height * 4);
  for (let i = 0; i < pixels.length; i++) pixels[i] = (i * 7 + Math.floor(i / (width * 4)) * 13) % 256;
  const picture = () => sharp(pixels, { raw: { width, height, channels: 4 } });
  const still = {
    "a.jpg": picture().flatten().withIccProfile("p3").withMetadata({ orientation: 6 }).jpeg(),
    "progressive.jpg": picture().flatten().jpeg({ progressive: true }),
    "cmyk.jpg": picture().flatten().toColourspace("cmyk").jpeg(),
    "a.png": picture().png(),
    "palette.png": picture().png({ palette: true }),
    "interlaced16.png": picture().toColourspace("rgb16").png({ progressive: true }),
    "a.webp": picture().webp(),
    "lossless.webp": picture().webp({ lossless: true }),
    "a.tiff": picture().tiff({ compression: "lzw" }),
    "tiled.tiff": picture().flatten().tiff({ tile: true, tileWidth: 16, tileHeight: 16, compression: "deflate" }),
    "jpeg.tiff": picture().flatten().tiff({ compression: "jpeg" }),
    "a.avif": picture().avif({ effort: 0 }),
  };
  const frames = Buffer.concat([pixels, pixels.map((value) => 255 - value), pixels]);
  const moving = () => sharp(frames, { raw: { width, height: height * 3, channels: 4, pageHeight: height } });
  const all = {
    ...still,
    "moving.gif": moving().gif({ delay: [50, 60, 70], loop: 0 }),
    "moving.webp": moving().webp({ delay: [50, 60, 70] }),
    "pages.tiff": moving().tiff(),
  };
  const made = await Promise.all(
    Object.entries(all).map(async ([name, one]) => ({ name, bytes: new Uint8Array(await one.toBuffer()) })),
  );
  const bmp = bmpFile({ width: 8, height: 4, bits: 24, body: Array.from({ length: 96 }, (_, i) => (i * 5) % 256) });
  const packed = bmpFile({
    width: 8,
    height: 2,
    bits: 8,
    compression: 1,
    palette: [
      [0, 0, 0],
      [255, 0, 0],
      [0, 255, 0],
    ],
    body: [8, 1, 0, 0, 3, 2, 0, 5, 0, 1, 2, 0, 1, 0, 0, 1],
  });
  return [
    ...made,
    { name: "a.bmp", bytes: bmp },
    { name: "packed.bmp", bytes: packed },
    { name: "a.heic", bytes: heicFile() },
    { name: "matte.heic", bytes: heicFile({ hasMatte: true }) },
    { name: "ten.heic", bytes: heicFile({ coding: "ten" }) },
    { name: "a.ico", bytes: rgbIcon({ width: 4, height: 4, data: new Uint8Array(48) }) },
    { name: "a.jxl", bytes: await jxlFile({ width: 8, height: 4, data: new Uint8Array(128).fill(99) }) },
    {
      name: "a.jp2",
      bytes: await jp2File({
        width: 16,
        height: 8,
        channels: 3,
        data: new Uint8Array(384).map((_, i) => (i * 7) % 256),
      }),
    },
    { name: "a.pdf", bytes: pdfFile() },
    { name: "a.psd", bytes: psdFile({ width: 8, height: 4, mode: 1, planes: [new Uint8Array(32)], isPacked: true }) },
    { name: "a.svg", bytes: new TextEncoder().encode(drawing) },
  ];
}

/** Real files in a folder and its subfolders, up to a size. None if the folder does not exist. */
export function realSeeds(folder: string, { maxBytes }: { maxBytes: number }): Seed[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /[.](jpe?g|png|webp|gif|tiff?|bmp|avif|heic|svg|ico|jxl|jp2|j2k|pdf|ps[db])$/i.test(entry.name),
    )
    .map(({ parentPath, name }) => ({ name, path: join(parentPath, name) }))
    .filter(({ path }) => statSync(path).size <= maxBytes)
    .map(({ name, path }) => ({ name, bytes: new Uint8Array(readFileSync(path)) }));
}
