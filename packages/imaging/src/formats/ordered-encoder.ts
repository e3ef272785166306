import type { Raster, Size } from "@tintype/codecs/raster";
import type { OutputFormat } from "@tintype/contract";
import { looksComputed } from "../quality/looks-computed.ts";
import { looksDrawn } from "../quality/looks-drawn.ts";
import { isTiny } from "../quality/sample.ts";
import { chooseLossyOrLossless } from "./choose-lossy-or-lossless.ts";
import type { Encoded } from "./encoder.ts";
import { markBytes } from "./loss-mark.ts";

/** Up to this many pixels, over all frames, an encoding takes milliseconds, a tenth of a second as AVIF or GIF. */
const maxPixels = 65_536;

/** `height`: of all frames together. */
export const isSmallPicture = ({ width, height }: Size): boolean => width * height <= maxPixels;

/**
 * The qualities of a small picture: from 50 on, bytes grow by a tenth or a fifth from one to the next, which is more
 * than the ups and downs of the encoders. 98 and 99 are apart because WebP changes its method there.
 */
const steps = [10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 95, 98, 99, 100];

/** The step that encodes a small picture at `quality`, 1 to 100: the same one or the next higher one. */
export const qualityStep = (quality: number): number => steps.find((step) => step >= quality) ?? 100;

/** Finer steps that are encoded too, at most. */
const maxFiner = 3;
/** From this multiple of the smallest encoding on, still finer ones are larger. */
const clearlyMore = 1.1;

type EncodeAt = (quality: number) => Promise<Encoded>;

/**
 * An encoder for a small picture that takes no more bytes for a lower quality: the smallest of the encodings at the
 * quality itself, at up to three finer steps and, where it may be smaller, without loss. A lossy one has to save enough
 * (see `chooseLossyOrLossless`). The quality is never below the requested one. Each quality is encoded once.
 *
 * Encoders alone are not monotonic: a ramp took 650 bytes as WebP at 98 and 94 without loss, a palette of 65 colours
 * has room for 128. Trying every finer quality would be exact, and take a hundred encodings. Of 12 drawn pictures in
 * five sizes and five formats, four encodings at the steps (`qualityStep`) leave at most 10 bytes of difference in the
 * wrong direction. Between the steps a GIF still differs by up to a quarter, so a quality alone is rounded up to its
 * step. A search for a byte limit does not round: it would leave up to a tenth of the limit unused.
 */
export function orderedEncoder(
  encode: EncodeAt,
  { format, picture }: { format: OutputFormat; picture?: Raster | undefined },
): EncodeAt {
  const encodings = new Map<number, Promise<Encoded>>();
  const encodeOnce: EncodeAt = (quality) => {
    const encoding = encodings.get(quality) ?? encode(quality);
    encodings.set(quality, encoding);
    return encoding;
  };
  const markedBytes = markBytes(format);
  const bytesOf = ({ bytes, isExact }: Encoded) => bytes.length + (isExact ? 0 : markedBytes);
  const encodeExactly = async (): Promise<Encoded> => ({ ...(await encodeOnce(100)), isExact: true });
  return async (quality) => {
    if (quality === 100) return format === "jpeg" ? encodeOnce(100) : encodeExactly();
    const lossy = [await encodeOnce(quality)];
    for (const step of finerSteps(quality, format)) {
      const least = Math.min(...lossy.map(bytesOf));
      const finer = await encodeOnce(step);
      lossy.unshift(finer); // of equal ones the finest counts
      if (bytesOf(finer) > least * clearlyMore) break;
    }
    if (!maySaveWithoutLoss(format, picture)) return chooseLossyOrLossless({ exact: [], lossy }, bytesOf);
    // Without noise this loses colours under full transparency only, and may be far smaller.
    if (format === "webp") lossy.unshift(await encodeOnce(99));
    return chooseLossyOrLossless({ exact: [await encodeExactly()], lossy }, bytesOf);
  };
}

/** 100 is another kind of encoding, except in JPEG. */
const finerSteps = (quality: number, format: OutputFormat): number[] =>
  steps.filter((step) => step > quality && (step < 100 || format === "jpeg")).slice(0, maxFiner);

/**
 * Whether the lossless form can be the smallest. As WebP and AVIF a picture with noise takes two to thirty times the
 * bytes of quality 99, and as AVIF several times the time.
 */
function maySaveWithoutLoss(format: OutputFormat, picture: Raster | undefined): boolean {
  if (format === "png" || format === "gif") return true;
  if (format !== "webp" && format !== "avif") return false;
  return !picture || isTiny(picture) || looksDrawn(picture) || looksComputed(picture);
}
