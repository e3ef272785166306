import type { Metadata, Sharp } from "sharp";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { targetScore } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { rowsOf } from "../../raster/rows.ts";
import type { Encoded, Encoder } from "../encoder.ts";
import { reduceDepth } from "../reduce-depth.ts";
import { worthLosing } from "../worth-losing.ts";
import { closeBy, type PngCandidate } from "./candidate.ts";
import { pngCandidates } from "./candidates.ts";
import { optimisePng, optimisingLevel, repackPng } from "./optimise.ts";
import { packRows } from "./pack-rows.ts";
import { encodeMovingPng } from "./write-moving.ts";

/**
 * PNG. Without `minimizeBytes` it is lossless and fast. With it, loss goes as far as the quality allows (none at 100), and the
 * search for the best packing takes a second a megapixel.
 */
export const encodePng: Encoder = async (
  image,
  { quality, signal, decoded: known, minimizeBytes = false, isMoving },
) => {
  if (isMoving) return encodeMovingPng(image, { quality, minimizeBytes, signal });
  if (!minimizeBytes) {
    const facts = await image.metadata();
    const pixels = known ?? (isLarge(facts) ? undefined : await decodePicture(image));
    return pixels ? encodeDecoded(pixels, { density: facts.density, signal }) : encodeStreamed(image);
  }
  const picture = await decodePicture(image);
  const { width, height } = picture;
  const { shallow, notes } = await reduceDepth(picture, quality);
  if (!shallow) return { bytes: await smallest([await losslessCandidate(picture, false)]), width, height, notes };
  const isDrawn = looksDrawn(shallow);
  const target = quality === 100 ? undefined : targetScore(quality);
  const candidates = pngCandidates(shallow, { target, isDrawn });
  signal?.throwIfAborted();
  if (isDrawn || candidates.length === 0 || (await packsWithoutLoss(candidates)))
    candidates.push(await losslessCandidate(shallow, isDrawn));
  return { bytes: await smallest(candidates, signal), width, height, notes };
};

/** Pictures with more bytes of samples are not decoded into memory. */
const mostDecodedBytes = 32e6;

/** Decoding takes too much memory, or, for a drawing, an unknown amount. */
function isLarge({ format, width, height, channels, depth }: Metadata): boolean {
  return format === "svg" || width * height * channels * (depth === "uchar" ? 1 : 2) > mostDecodedBytes;
}

type Encoding = { density: number | undefined; signal: AbortSignal | undefined };

async function encodeDecoded(picture: DecodedPicture, { density, signal }: Encoding): Promise<Encoded> {
  const { width, height, profile } = picture;
  const pieces: Uint8Array[] = [];
  for await (const piece of packRows({ ...rowsOf(picture), profile, density }, { signal })) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), width, height, notes: [] };
}

/** A picture that is too large to decode into memory: 1.5 to 3 times the processor time of our own, for about as many bytes. */
async function encodeStreamed(image: Sharp): Promise<Encoded> {
  const { data, info } = await image.png(quick).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
}

/** For a photograph 3 % more bytes than sharp's own level 6, which takes twice as long. */
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

/** Up to this multiple of the lossy sample's bytes, the whole may still be smaller without loss. */
const nearlyAsMany = 1.3;

/** True for gradients that a program drew and that do not look drawn. For photographs, lossless output is never smaller. */
async function packsWithoutLoss(candidates: readonly PngCandidate[]): Promise<boolean> {
  const packed = candidates.flatMap(({ onSample }) => onSample?.() ?? []);
  const [one] = packed;
  if (!one) return false;
  const lossless = await asDecodedPicture(one.sample).open().png({ adaptiveFiltering: true }).toBuffer();
  return lossless.length <= Math.min(...packed.map(({ bytes }) => bytes.length)) * nearlyAsMany;
}

/** The smallest candidate whose loss is worth it. Only those that can win are packed thoroughly. */
async function smallest(candidates: readonly PngCandidate[], signal?: AbortSignal): Promise<Uint8Array> {
  const sizes = candidates.length > 1 ? candidates.map(({ quickly }) => quickly().length) : [0];
  const least = Math.min(...sizes);
  const close = candidates.filter((_, i) => (sizes[i] as number) <= least * closeBy);
  const packed: { exact: Uint8Array[]; lossy: Uint8Array[] } = { exact: [], lossy: [] };
  for (const { isExact, thoroughly } of close) {
    signal?.throwIfAborted();
    packed[isExact ? "exact" : "lossy"].push(await thoroughly());
  }
  return worthLosing(packed, ({ length }) => length);
}
