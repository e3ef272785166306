import { encodeBmpSamples } from "@tintype/codecs/bmp";
import type { Encoder } from "../encoder.ts";

/**
 * Lossless BMP in a form that every reader supports: with a palette if that is smaller, otherwise 24 bits, or 32 with
 * alpha. With `minimizeBytes` it is run-length encoded if that is smaller still.
 */
export const encodeBmp: Encoder = async (image, { minimizeBytes = false }) => {
  const { data, info } = await image
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels !== 1 && channels !== 3 && channels !== 4)
    throw new Error(`Pixels of ${channels} channels do not make a BMP`); // sRGB has 3, or 4 with alpha
  const bytes = encodeBmpSamples({ width, height, channels, data }, { runLength: minimizeBytes });
  return { bytes, width, height, notes: [] };
};
