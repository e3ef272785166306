import type { Sharp } from "sharp";
import type { Raster } from "../packages/codecs/src/raster/raster.ts";

/** The picture as sRGB of 8 bits, without alpha. */
export async function readRgb(image: Sharp): Promise<Raster<Uint8Array> & { channels: 3 }> {
  const { data, info } = await image.toColourspace("srgb").removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}
