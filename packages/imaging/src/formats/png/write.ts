import { rowsOf } from "@tintype/codecs/raster";
import type { Metadata, Sharp } from "sharp";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { targetScore } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { chooseLossyOrLossless } from "../choose-lossy-or-lossless.ts";
import type { Encoded, Encoder } from "../encoder.ts";
import { reduceDepth } from "../reduce-depth.ts";
import { closeBy, type PngCandidate } from "./candidate.ts";
import { pngCandidates } from "./candidates.ts";
import { optimisePng, optimisingLevel, repackPng } from "./optimise.ts";
import { packRows } from "./pack-rows.ts";
import { encodeApng } from "./write-apng.ts";

/**
 * Encodes PNG. Without `minimizeBytes` the encoding is lossless and fast. With it, the encoding is as lossy as the
 * quality allows (lossless at 100), and the search for the best compression takes about a second per megapixel.
 */
export const encodePng: Encoder = async (
  image,
  { quality, signal, decoded: known, minimizeBytes = false, isAnimated, timing },
) => {
  if (isAnimated) return encodeApng(image, { quality, timing, minimizeBytes, signal });
  if (!minimizeBytes) {
    const pixels = known ?? (isLarge(await image.metadata()) ? undefined : await decodePicture(image));
    return pixels ? encodeDecoded(pixels, signal) : encodeStreamed(image);
  }
  const picture = known ?? (await decodePicture(image));
  const { width, height } = picture;
  const { shallow, notes } = await reduceDepth(picture, quality);
  if (!shallow) return { bytes: await smallest([await losslessCandidate(picture, false)]), width, height, notes };
  const isDrawn = looksDrawn(shallow);
  const target = quality === 100 ? undefined : targetScore(quality);
  const candidates = pngCandidates(shallow, { target, isDrawn });
  signal?.throwIfAborted();
  if (isDrawn || quality === 100 || candidates.length === 0 || (await packsWithoutLoss(candidates)))
    candidates.push(await losslessCandidate(shallow, isDrawn));
  return { bytes: await smallest(candidates, signal), width, height, notes };
};

/** Pictures with more bytes of samples are encoded as a stream. */
const maxDecodedBytes = 32e6;

/** Whether decoding would take too much memory, or, for an SVG, an unknown amount. */
function isLarge({ format, width, height, channels, depth }: Metadata): boolean {
  return format === "svg" || width * height * channels * (depth === "uchar" ? 1 : 2) > maxDecodedBytes;
}

async function encodeDecoded(picture: DecodedPicture, signal: AbortSignal | undefined): Promise<Encoded> {
  const { width, height, profile } = picture;
  const pieces: Uint8Array[] = [];
  for await (const piece of packRows({ ...rowsOf(picture), profile }, { signal })) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), width, height, notes: [] };
}

/**
 * Encodes by libvips for pictures too large for memory: 1.5 to 3 times the CPU time of `packRows`, for about as many
 * bytes.
 */
async function encodeStreamed(image: Sharp): Promise<Encoded> {
  const { data, info } = await image.png(quick).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
}

/** 3 % more bytes for a photograph than sharp's default level 6, in half the time. */
const quick = { adaptiveFiltering: true, compressionLevel: 3 } as const;

async function losslessCandidate(picture: DecodedPicture, isDrawn: boolean): Promise<PngCandidate> {
  const bytes = await picture.open().png({ adaptiveFiltering: true }).toBuffer();
  const level = optimisingLevel(picture);
  return {
    isExact: true,
    quickly: () => bytes,
    async thoroughly() {
      if (level === undefined) return bytes;
      const optimised = await optimisePng(bytes, level);
      return isDrawn ? repackPng(optimised) : optimised;
    },
  };
}

/** If the lossless sample is at most this multiple of the lossy one, lossless may still win on the whole picture. */
const nearlyAsMany = 1.3;

/**
 * Whether lossless output may be the smallest: true for synthetic gradients, which `looksDrawn` misses. For photographs
 * it never is.
 */
async function packsWithoutLoss(candidates: readonly PngCandidate[]): Promise<boolean> {
  const packed = candidates.flatMap(({ onSample }) => onSample?.() ?? []);
  const [one] = packed;
  if (!one) return false;
  const lossless = await asDecodedPicture(one.sample).open().png({ adaptiveFiltering: true }).toBuffer();
  return lossless.length <= Math.min(...packed.map(({ bytes }) => bytes.length)) * nearlyAsMany;
}

/**
 * The smallest candidate; a lossy one must save enough (see `chooseLossyOrLossless`). Only candidates close to the
 * smallest are packed thoroughly.
 */
async function smallest(candidates: readonly PngCandidate[], signal?: AbortSignal): Promise<Uint8Array> {
  const sizes = candidates.length > 1 ? candidates.map(({ quickly }) => quickly().length) : [0];
  const least = Math.min(...sizes);
  const close = candidates.filter((_, i) => (sizes[i] as number) <= least * closeBy);
  const packed: { exact: Uint8Array[]; lossy: Uint8Array[] } = { exact: [], lossy: [] };
  for (const { isExact, thoroughly } of close) {
    signal?.throwIfAborted();
    packed[isExact ? "exact" : "lossy"].push(await thoroughly());
  }
  return chooseLossyOrLossless(packed, ({ length }) => length);
}
