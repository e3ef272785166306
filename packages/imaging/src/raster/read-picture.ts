import { DomainError } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { IntegerSamples, Raster } from "./samples.ts";

/**
 * Decodes a pipeline to memory, in the depth and channels it has.
 * @param facts `isGrey` with `hasAlpha`: two channels, which sharp gives raw only in 16 bits; from 8 bits it drops alpha
 * @throws broken-image
 */
export async function readPicture(
  image: Sharp,
  { depth, isGrey, hasAlpha }: { depth: 8 | 16; isGrey: boolean; hasAlpha: boolean },
): Promise<Raster<IntegerSamples>> {
  const isDetour = depth === 8 && isGrey && hasAlpha;
  const { data, info } = await (isDetour ? image.toColourspace("grey16") : image)
    .raw({ depth: depth === 16 || isDetour ? "ushort" : "uchar" })
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new DomainError("broken-image", { cause });
    });
  const { width, height, channels } = info;
  const samples = depth === 16 || isDetour ? asWords(data) : data;
  return {
    data: isDetour ? Uint8Array.from(samples, (value) => value >> 8) : samples,
    width,
    height,
    channels,
    hasAlpha: channels === 2 || channels === 4,
  };
}

/** 16 bit samples need an even place in memory, which a Buffer does not promise. */
const asWords = (bytes: Buffer) =>
  bytes.byteOffset % 2 === 0
    ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
    : new Uint16Array(new Uint8Array(bytes).buffer);
