import type { Raster } from "@tintype/codecs/raster";

type Picture = Raster;

/** A window of this size is sufficient, and takes a few milliseconds. */
const windowPx = 1024;
/** Larger differences are edges of the picture itself; of 255. */
const edge = 16;

/**
 * Whether the pixels show the 8x8 blocks of a JPEG that was later stored losslessly (as PNG, say).
 *
 * The third difference across each pair of pixels (their step against the slopes on both sides) is averaged for each of
 * the eight columns of a block, and likewise for rows. In a picture that was never a JPEG all eight are alike: in 35
 * such pictures, the greatest mean never exceeded 1.04 times the mean of the others on both axes. After a JPEG of
 * quality 60 nine of ten exceed 1.16, of 75 they exceed 1.12; above 90 there is little to see, and little to repair. A
 * picture that was downscaled afterwards is not detected.
 */
export function showsBlockGrid(picture: Picture): boolean {
  const luma = lumaWindow(picture);
  const side = Math.min(luma.width, luma.height);
  if (side < 32) return false; // four blocks are too few
  const least = 1.1 + 12 / side; // small pictures vary more by chance: 1.3 was seen at 64 px, 1.12 at 256
  return (
    gridRatio(luma, { length: luma.width, lines: luma.height, step: 1, lineStep: luma.width }) > least &&
    gridRatio(luma, { length: luma.height, lines: luma.width, step: luma.width, lineStep: 1 }) > least
  );
}

type Luma = { data: Uint8Array; width: number; height: number };

/** The luma of the picture's centre, 8 bits. */
function lumaWindow({ data, width, height, channels }: Picture): Luma {
  const window = { width: Math.min(width, windowPx), height: Math.min(height, windowPx) };
  const [left, top] = [(width - window.width) >> 1, (height - window.height) >> 1];
  const luma = new Uint8Array(window.width * window.height);
  const shift = data instanceof Uint16Array ? 10 : 2;
  for (let y = 0, out = 0; y < window.height; y += 1) {
    let at = ((top + y) * width + left) * channels;
    for (let x = 0; x < window.width; x += 1, at += channels, out += 1) {
      const first = data[at] as number;
      luma[out] = (channels < 3 ? 4 * first : first + 2 * (data[at + 1] as number) + (data[at + 2] as number)) >> shift;
    }
  }
  return { data: luma, ...window };
}

type Direction = { length: number; lines: number; step: number; lineStep: number };

/** The greatest of the eight means over the mean of the other seven. */
function gridRatio({ data }: Luma, { length, lines, step, lineStep }: Direction): number {
  const sums = new Float64Array(8);
  const counts = new Float64Array(8);
  for (let line = 0; line < lines; line += 1)
    for (let i = 2, at = line * lineStep + 2 * step; i < length - 1; i += 1, at += step) {
      const change =
        (data[at - 2 * step] as number) -
        3 * (data[at - step] as number) +
        3 * (data[at] as number) -
        (data[at + step] as number);
      sums[i & 7] = (sums[i & 7] as number) + Math.min(edge, Math.abs(change));
      counts[i & 7] = (counts[i & 7] as number) + 1;
    }
  const means = sums.map((sum, i) => sum / (counts[i] as number));
  const greatest = Math.max(...means);
  const others = (means.reduce((sum, mean) => sum + mean, 0) - greatest) / 7;
  return greatest / (others + 0.05); // keeps a flat picture's ratio finite
}
