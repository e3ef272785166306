import type { OutputFormat } from "@tintype/contract";
import { avifEncoding, effortFor } from "../../formats/avif.ts";
import type { EncodeOptions } from "../../formats/encoder.ts";
import { encoders } from "../../formats/write-picture.ts";
import { encodings } from "../../quality/encodings.ts";
import { encoderSetting } from "../../quality/scale.ts";
import type { DecodedPicture } from "../../raster/decoded-picture.ts";

export type Coding = { quality: number; hasHalvedColour: boolean; minimizeBytes: boolean };

/**
 * Samples that an estimate is made of. More of them cost time and gain little: `bench/preview.ts` measures both. A palette
 * and a lossless coding live on what the samples have in common with their surroundings: they are larger.
 */
export function samplesFor(format: OutputFormat, { quality, minimizeBytes }: Coding): { side: number; count: number } {
  if (format === "png") return minimizeBytes && quality < 100 ? { side: 64, count: 12 } : { side: 128, count: 12 };
  // Both predict a block from its neighbours: at the edges of samples they cannot.
  if (format === "avif" || format === "webp") return { side: 128, count: 12 };
  return { side: 64, count: 48 };
}

/** As the product's encoders do it; AVIF and WebP without loss with less effort, for they take seconds a megapixel. */
export async function encodeQuickly(
  picture: DecodedPicture,
  { format, quality, ...options }: Coding & { format: OutputFormat },
): Promise<Uint8Array> {
  if (format === "avif" && quality < 100) {
    const encoding = await avifEncoding(picture, quality);
    return encodings[encoding](picture.open(), encoderSetting(encoding, quality), quickEffort).toBuffer();
  }
  const asked: EncodeOptions = { ...options, quality, decoded: picture, isUrgent: format === "webp" };
  return (await encoders[format](picture.open(), asked)).bytes;
}

/** Its bytes are within 2 % of those of an effort of 2, which takes 1.3 to 2.8 times the processor time; those of 0 lie up to 8 % off. */
const quickEffort = 1;

/** The bytes of the product's own encoding of the picture where `encodeQuickly` takes 1: each step of effort saves 5 to 6 %. */
export const shareOfQuick = (
  { format, quality }: { format: OutputFormat; quality: number },
  { width, height }: { width: number; height: number },
): number => (format === "avif" && quality < 100 ? 0.945 ** (effortFor(width * height) - quickEffort) : 1);
