import { wholeOf } from "@tintype/codecs/raster";
import sharp from "sharp";
import type { CutOutCandidate } from "../../cutout/candidates.ts";
import { type Matte, onGridOf } from "../../cutout/matte.ts";
import type { PictureFile } from "../../raster/picture-file.ts";

/** The longer side of a thumbnail, as documented in the API reference. */
const thumbPx = 320;
/** Thumbnails stay too small to replace the cut-out: a flagged one can be discarded for its credit after seeing them. */
const maxScale = 0.5;

/**
 * Thumbnails of all candidates, stacked vertically, as one PNG with alpha. They show the coarse mattes, without refined
 * edges, at half the picture's size at most.
 */
export async function writeSheet(
  work: PictureFile,
  { candidates, path }: { candidates: readonly CutOutCandidate[]; path: string },
): Promise<void> {
  const scale = Math.min(maxScale, thumbPx / Math.max(work.width, work.height));
  const [width, height] = [work.width, work.height].map((px) => Math.max(1, Math.round(px * scale))) as [
    number,
    number,
  ];
  const colours = await sharp(work.path, { limitInputPixels: false })
    .ensureAlpha()
    .resize(width, height, { fit: "fill" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer();
  const cells = width * height;
  const pixels = new Uint8Array(4 * cells * candidates.length);
  for (const [place, { matte }] of candidates.entries()) {
    const alpha = await alphaOf(matte, { work, width, height });
    for (let at = 0, to = 4 * cells * place; at < cells; at += 1, to += 4) {
      pixels.set(colours.subarray(4 * at, 4 * at + 3), to);
      // Transparent pixels of the source stay transparent, as in the result.
      pixels[to + 3] = Math.round(((alpha[at] as number) * (colours[4 * at + 3] as number)) / 255);
    }
  }
  await sharp(pixels, { raw: { width, height: height * candidates.length, channels: 4 } })
    .png()
    .toFile(path);
}

/** The matte over the whole picture, at its own resolution first: averaging its cells preserves thin parts. */
async function alphaOf(
  matte: Matte,
  { work, width, height }: { work: PictureFile; width: number; height: number },
): Promise<Buffer> {
  const whole = wholeOf(work);
  const grid = { width: Math.max(matte.width, width), height: Math.max(matte.height, height), region: whole };
  const cells = Uint8Array.from(onGridOf(grid, matte), (value) => Math.round(255 * Math.min(1, Math.max(0, value))));
  return sharp(cells, { raw: { width: grid.width, height: grid.height, channels: 1 } })
    .resize(width, height, { fit: "fill" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
}
