import { asWords, type Channels, type Raster } from "@tintype/codecs/raster";
import type { Sharp } from "sharp";
import { brokenImage } from "./broken-image.ts";

/**
 * Decodes a pipeline to memory, in its own depth and channels.
 * @param facts `isGrey` with `hasAlpha`: two channels, which sharp outputs raw only in 16 bits; in 8 bits it drops
 * alpha
 * @throws broken-image
 */
export async function readPicture(
  image: Sharp,
  { depth, isGrey, hasAlpha }: { depth: 8 | 16; isGrey: boolean; hasAlpha: boolean },
): Promise<Raster> {
  const isDetour = depth === 8 && isGrey && hasAlpha;
  const { data, info } = await (isDetour ? image.toColourspace("grey16") : image)
    .raw({ depth: depth === 16 || isDetour ? "ushort" : "uchar" })
    .toBuffer({ resolveWithObject: true })
    .catch(brokenImage);
  const { width, height, channels } = info;
  const samples = depth === 16 || isDetour ? asWords(data) : data;
  return {
    data: isDetour ? Uint8Array.from(samples, (value) => value >> 8) : samples,
    width,
    height,
    channels: channels as Channels, // opening rejects other channel counts
  };
}
