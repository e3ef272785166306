import type { Encoder } from "../encoder.ts";
import { encodeBmpSamples } from "./encode.ts";

/**
 * BMP without loss, as every reader takes it: a palette where it is smaller, else 24 bits, or 32 with alpha. With `minimizeBytes`
 * run-length coded where that is smaller still.
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
