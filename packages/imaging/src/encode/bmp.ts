import type { Sharp } from "sharp";
import { encodeBmp as encodePixels } from "../bmp/encode.ts";
import type { Encoded, Encoder } from "./encoder.ts";

/** BMP as every reader takes it: a palette where it is smaller, else 24 bits, or 32 with alpha. Always lossless. */
export const encodeBmp: Encoder = (image) => encode(image, { runLength: false });

/** BMP as small as it gets: run-length coded where that is smaller. */
export const encodeSmallestBmp: Encoder = (image) => encode(image, { runLength: true });

async function encode(image: Sharp, options: { runLength: boolean }): Promise<Encoded> {
  const { data, info } = await image
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels !== 1 && channels !== 3 && channels !== 4)
    throw new Error(`Pixels of ${channels} channels do not make a BMP`); // sRGB has 3, or 4 with alpha
  return { bytes: encodePixels({ width, height, channels, data }, options), width, height, notes: [] };
}
