import { type Curve, valueAt } from "@tintype/codecs/curve";
import type { IntegerSamples, Raster } from "@tintype/codecs/raster";

/** Chroma subsampling: none, or half width and half height. */
export type Chroma = "4:4:4" | "4:2:0";

/**
 * The loss (`chromaLoss`) above which chroma is not subsampled, by quality. Measured on ten pictures as the quality
 * from which 4:4:4 takes fewer bytes at the same SSIMULACRA 2: a chat in few colours (loss 12) from 72, a beach hut
 * with red stripes (7) from 94, most photographs (2 to 5) from 98. For an interface full of coloured letters (21) it is
 * 88; there the rule switches earlier, from 50, because the eye sees the loss at each letter while the score averages
 * it over the picture.
 */
const limits: Curve = [
  [45, 60],
  [50, 20],
  [75, 11.5],
  [85, 9],
  [92, 7.5],
  [97, 6],
  [98, 0],
];

/** The subsampling that looks better for its bytes at this quality. Takes a few milliseconds for any size. */
export const chromaFor = (picture: Raster, quality: number): Chroma =>
  chromaLoss(picture) > valueAt(limits, quality) ? "4:4:4" : "4:2:0";

/**
 * The loss above which sharp YUV pays in WebP, by quality. It doubles the time. Coloured text then takes 30 % fewer
 * bytes at the same SSIMULACRA 2; photographs below the limit take up to 7 % more.
 */
const sharpYuvFrom: Curve = [
  [75, 7],
  [80, 6],
  [85, 4.5],
  [95, 3.5],
  [96, 0],
];

/** Whether the picture benefits from sharp YUV, since lossy WebP is always 4:2:0. */
export const losesColourInWebp = (picture: Raster, quality: number): boolean =>
  chromaLoss(picture) > valueAt(sharpYuvFrom, quality);

/** Pairs of rows and columns that are sampled: more would cost time and do not change the result. */
const sampledBlocks = 60_000;

/**
 * The loss (`lossFrom`) of blocks that start at even pixels, or of those offset by one, whichever is larger: decoders
 * interpolate across block borders, so edges that coincide with them are lost too.
 */
const chromaLoss = (picture: Raster): number => Math.max(lossFrom(picture, 0), lossFrom(picture, 1));

/**
 * The error of 4:2:0 chroma: the fourth norm, over blocks of 2x2 pixels, of the standard deviation of Cb and Cr within
 * the block, 0..255. The fourth norm, because a few bad places are more visible than many slightly worse ones.
 */
function lossFrom({ width, height, channels, data }: Raster, first: 0 | 1): number {
  if (channels < 3 || width < first + 2 || height < first + 2) return 0;
  const stride = Math.max(1, Math.round(Math.sqrt((width * height) / 4 / sampledBlocks)));
  const scale = data instanceof Uint16Array ? 1 / 257 : 1;
  let sum = 0;
  let blocks = 0;
  for (let y = first; y + 1 < height; y += 2 * stride)
    for (let x = first; x + 1 < width; x += 2 * stride) {
      const variance = blockVariance(data, (y * width + x) * channels, { right: channels, down: width * channels });
      sum += (variance * scale * scale) ** 2;
      blocks += 1;
    }
  return (sum / blocks) ** 0.25;
}

/** The variance of Cb and Cr together (ITU-T T.871) over the four pixels from `at`. */
function blockVariance(samples: IntegerSamples, at: number, { right, down }: { right: number; down: number }): number {
  let [cb, cr, squares] = [0, 0, 0];
  for (let pixel = 0; pixel < 4; pixel++) {
    const place = at + (pixel & 1) * right + (pixel >> 1) * down;
    const red = samples[place] ?? 0;
    const green = samples[place + 1] ?? 0;
    const blue = samples[place + 2] ?? 0;
    const b = 0.5 * blue - 0.168736 * red - 0.331264 * green;
    const r = 0.5 * red - 0.418688 * green - 0.081312 * blue;
    cb += b;
    cr += r;
    squares += b * b + r * r;
  }
  return (squares - (cb * cb + cr * cr) / 4) / 4;
}
