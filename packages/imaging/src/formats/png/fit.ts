import type { Note } from "@tintype/contract";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { isTiny, sampleOf } from "../../quality/sample.ts";
import { qualityFor, targetScore } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture } from "../../raster/decoded-picture.ts";
import type { Encoded } from "../encoder.ts";
import { type ByteLimit, type Fitted, fitBytes } from "../fit-bytes.ts";
import { isSmallPicture, orderedEncoder } from "../ordered-encoder.ts";
import { qualityLadder } from "../quality-ladder.ts";
import { deepFrom, reduceDepth } from "../reduce-depth.ts";
import { strategyFor } from "./strategies.ts";
import { encodePng } from "./write.ts";

const maxTinyEncodings = 5;
/** The finenesses of a strategy, for the search by quick packings. */
const finenesses = Array.from({ length: 100 }, (_, i) => i + 1);
/** The assumed ratio of thorough to quick bytes, which is 0.8 to 0.96. */
const typicalPacking = 0.88;
/**
 * Lossless optimization by oxipng and our own parse leaves 0.66 to 0.87 of a drawing's bytes; this is the lower bound.
 */
const minLosslessPacking = 0.65;
/**
 * Shares of `maxBytes` to aim for. The first estimate of thorough bytes is off by a percent or two, later ones by less.
 */
const firstAim = 0.98;
const nextAim = 0.99;
const goodUse = 0.95;
/** Lossless output takes at least this multiple of the bytes at fineness 100. */
const losslessGrowth = 1.1;

type PngLimit = ByteLimit & { signal?: AbortSignal | undefined };

/**
 * `fitBytes` for PNG, where one encoding takes seconds. The bytes depend only on the strategy's fineness: quick
 * packings, which take at most a tenth of the time of an encoding, find it, and only the fineness that is found is
 * scored.
 */
export async function fitPng(picture: DecodedPicture, limit: PngLimit): Promise<Fitted> {
  const { minQuality, bestQuality, signal } = limit;
  const encodeAt = (quality: number) =>
    encodePng(picture.open(), { quality, minimizeBytes: true, decoded: picture, ...(signal && { signal }) });
  const encode = isSmallPicture(picture) ? orderedEncoder(encodeAt, { format: "png", picture }) : encodeAt;
  if (isTiny(picture))
    return fitBytes({
      maxBytes: limit.maxBytes,
      ...qualityLadder({ format: "png", picture: undefined }, limit),
      encode,
      maxEncodes: maxTinyEncodings,
      signal,
    });
  const best = await reduceDepth(picture, bestQuality);
  if (best.shallow) return fitShallow({ picture: best.shallow, notes: best.notes, encode }, limit);
  const deep = await encode(bestQuality);
  const smallestBytes = deep.bytes.length;
  if (smallestBytes <= limit.maxBytes) return { best: { ...deep, quality: bestQuality }, smallestBytes };
  const { shallow, notes } = await reduceDepth(picture, minQuality);
  if (!shallow) return { best: undefined, smallestBytes };
  return fitShallow({ picture: shallow, notes, encode }, { ...limit, bestQuality: deepFrom - 1 });
}

type Shallow = {
  picture: DecodedPicture<Uint8Array>;
  notes: Note[];
  encode: (quality: number) => Promise<Encoded>;
};

/** Bytes of a plain lossless PNG; estimated from a sample for a picture that does not look drawn. */
async function losslessBytes(picture: DecodedPicture<Uint8Array>): Promise<number> {
  const bytesOf = async (some: DecodedPicture) =>
    (await some.open().png({ adaptiveFiltering: true }).toBuffer()).length;
  const sample = sampleOf(picture);
  const share = (sample.width * sample.height) / (picture.width * picture.height);
  return looksDrawn(picture) ? bytesOf(picture) : (await bytesOf(asDecodedPicture(sample))) / share;
}

async function fitShallow(
  { picture, notes, encode }: Shallow,
  { maxBytes, minQuality, bestQuality, signal }: PngLimit,
): Promise<Fitted> {
  const { width, height } = picture;
  const asEncoded = (bytes: Uint8Array) => ({ bytes, width, height, notes });
  const inRange = (fineness: number) => Math.min(100, Math.max(1, fineness));
  // For a drawing, lossless output is often smaller than lossy output.
  if ((await losslessBytes(picture)) * minLosslessPacking <= maxBytes) {
    const best = await encode(bestQuality);
    if (best.bytes.length <= maxBytes)
      return { best: { ...best, quality: bestQuality }, smallestBytes: best.bytes.length };
  }
  // The lowest quality comes first, as in `fitBytes`: a limit that cannot be met costs one encoding.
  const lowest = await encode(minQuality);
  let smallestBytes = lowest.bytes.length;
  if (smallestBytes > maxBytes) return { best: undefined, smallestBytes };
  const strategy = strategyFor(picture);
  let fits: (Fitted["best"] & { fineness: number }) | undefined;

  const quick = await fitBytes({
    qualities: finenesses,
    growth: [
      [0, 0],
      [100, 100 * strategy.growth],
    ],
    firstQuality: 50,
    maxEncodes: strategy.quickPackings,
    signal,
    maxBytes: maxBytes / typicalPacking,
    encode: async (fineness) => asEncoded(strategy.candidateAt(fineness).quickly()),
  });
  const from = { fineness: quick.best?.quality ?? 1, bytes: quick.best?.bytes.length ?? quick.smallestBytes };
  from.bytes *= await strategy.packing(from.fineness);

  let fineness = inRange(from.fineness + Math.log((firstAim * maxBytes) / from.bytes) / strategy.growth);
  let over: number | undefined;
  let left = strategy.thoroughPackings;
  while (left-- > 0) {
    signal?.throwIfAborted();
    const score = strategy.scoreAt(fineness);
    const hasRoom = fineness === 100 && from.fineness > 97 && from.bytes * losslessGrowth <= maxBytes;
    if (!fits && (hasRoom || (bestQuality < 100 && score > targetScore(bestQuality)))) {
      const best = await encode(bestQuality);
      smallestBytes = Math.min(smallestBytes, best.bytes.length);
      if (best.bytes.length <= maxBytes) return { best: { ...best, quality: bestQuality }, smallestBytes };
      left -= 1;
    }
    if (score < targetScore(minQuality)) {
      // The guess is too coarse: the remaining candidate is just below the fineness that exceeded the limit.
      const next = over === undefined ? fineness : inRange(strategy.coarser(over));
      if (next <= fineness) break;
      fineness = next;
      continue;
    }
    const bytes = await strategy.candidateAt(fineness).thoroughly();
    smallestBytes = Math.min(smallestBytes, bytes.length);
    const quality = Math.min(bestQuality, Math.max(minQuality, qualityFor(score)));
    if (bytes.length <= maxBytes && bytes.length > (fits?.bytes.length ?? 0))
      fits = { ...asEncoded(bytes), quality, fineness };
    if (fits && (fits.fineness === 100 || fits.bytes.length >= goodUse * maxBytes)) break;
    if (bytes.length > maxBytes) over = fineness;
    const aimed = fineness + Math.log((nextAim * maxBytes) / bytes.length) / strategy.growth;
    fineness = inRange(bytes.length <= maxBytes ? aimed : Math.min(aimed, strategy.coarser(fineness)));
    if (fits && fineness <= fits.fineness) break;
  }
  return { best: fits ?? { ...lowest, quality: minQuality }, smallestBytes };
}
