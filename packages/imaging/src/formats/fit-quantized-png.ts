import { judgeFor } from "../quality/sample.ts";
import { qualityFor, targetScore } from "../quality/scale.ts";
import type { DecodedPicture } from "../raster/decoded-picture.ts";
import type { Raster } from "../raster/raster.ts";
import { type ByteLimit, type Fitted, fitBytes } from "./fit-bytes.ts";
import { quantizedPng } from "./png/quantize.ts";
import { encodePng } from "./png/write.ts";
import { quantizeSamples } from "./quantize-samples.ts";

/** With at most three thorough packings and the lowest quality's, these are eight encodings. */
const mostQuickPackings = 4;
const mostThoroughPackings = 3;
/** A thorough packing takes 0.81 to 0.96 of a quick one's bytes. */
const usualPacking = 0.88;
/** The thorough packing is foretold to a percent or two, and after the first to less. */
const firstAim = 0.98;
const nextAim = 0.99;
const goodUse = 0.95;
/** A photograph without any loss takes at least so much of the finest step's bytes. */
const losslessGrowth = 1.1;

/** Fineness 1 to 100 is a step of 48 to 2, each by the same factor finer. */
const [coarsest, finest] = [48, 2];
const stepAt = (fineness: number) => coarsest * (finest / coarsest) ** ((fineness - 1) / 99);
/** How fast the logarithm of the bytes rises with fineness. */
const growth = 0.027;

/**
 * As `fitBytes`, for a photograph as PNG. Its bytes depend on the step alone: the step is found by quick packings, which
 * take a tenth of a thorough one, and only the step that is found is judged.
 */
export async function fitQuantizedPng(
  picture: DecodedPicture<Uint8Array>,
  { maxBytes, minQuality, bestQuality, signal }: ByteLimit & { signal?: AbortSignal | undefined },
): Promise<Fitted> {
  const { width, height } = picture;
  const asEncoded = (bytes: Uint8Array) => ({ bytes, width, height, notes: [] });
  const inRange = (fineness: number) => Math.min(100, Math.max(1, fineness));
  const judge = judgeFor(picture);
  const scoreAt = (step: number) =>
    judge.likeness({ ...judge.sample, data: quantizeSamples(judge.sample, { step, prediction: "average" }) });
  let smallestBytes = Number.POSITIVE_INFINITY;
  let fits: (Fitted["best"] & { fineness: number }) | undefined;

  const quick = await fitBytes({
    ...{ minQuality: 1, bestQuality: 100, firstQuality: 50, mostEncodes: mostQuickPackings, signal },
    maxBytes: maxBytes / usualPacking,
    encode: async (fineness) => asEncoded(quantizedPng(picture, stepAt(fineness)).quickly()),
  });
  const from = { fineness: quick.best?.quality ?? 1, bytes: quick.best?.bytes.length ?? quick.smallestBytes };
  const bands = quantizedPng(bandsOf(picture), stepAt(from.fineness));
  from.bytes *= (await bands.thoroughly()).length / bands.quickly().length;

  let fineness = inRange(from.fineness + Math.log((firstAim * maxBytes) / from.bytes) / growth);
  let left = mostThoroughPackings;
  while (left-- > 0) {
    signal?.throwIfAborted();
    const score = scoreAt(stepAt(fineness));
    const hasRoom = fineness === 100 && from.fineness > 97 && from.bytes * losslessGrowth <= maxBytes;
    if (!fits && (hasRoom || (bestQuality < 100 && score > targetScore(bestQuality)))) {
      const best = await encodePng(picture.open(), {
        quality: bestQuality,
        minimizeBytes: true,
        ...(signal && { signal }),
      });
      smallestBytes = Math.min(smallestBytes, best.bytes.length);
      if (best.bytes.length <= maxBytes) return { best: { ...best, quality: bestQuality }, smallestBytes };
      left -= 1;
    }
    if (score < targetScore(minQuality)) break;
    const bytes = await quantizedPng(picture, stepAt(fineness)).thoroughly();
    smallestBytes = Math.min(smallestBytes, bytes.length);
    const quality = Math.min(bestQuality, Math.max(minQuality, qualityFor(score)));
    if (bytes.length <= maxBytes && bytes.length > (fits?.bytes.length ?? 0))
      fits = { ...asEncoded(bytes), quality, fineness };
    if (fits && (fits.fineness === 100 || fits.bytes.length >= goodUse * maxBytes)) break;
    fineness = inRange(fineness + Math.log((nextAim * maxBytes) / bytes.length) / growth);
    if (fits && fineness <= fits.fineness) break;
  }
  if (fits) return { best: fits, smallestBytes };
  const lowest = await encodePng(picture.open(), {
    quality: minQuality,
    minimizeBytes: true,
    ...(signal && { signal }),
  });
  smallestBytes = Math.min(smallestBytes, lowest.bytes.length);
  return { best: lowest.bytes.length <= maxBytes ? { ...lowest, quality: minQuality } : undefined, smallestBytes };
}

const bandCount = 6;
/** Of the rows: enough to tell how much a thorough packing saves. */
const bandShare = 1 / 16;

/** Whole rows from all over the picture, one below the other: matches reach as far back in them as in the picture. */
function bandsOf(picture: Raster<Uint8Array>): Raster<Uint8Array> {
  const { width, height, channels, data } = picture;
  const rows = Math.ceil((height * bandShare) / bandCount);
  if (rows * bandCount > height) return picture;
  const bandBytes = rows * width * channels;
  const bands = new Uint8Array(bandBytes * bandCount);
  for (let band = 0; band < bandCount; band++) {
    const from = Math.floor(((band + 0.5) * height) / bandCount - rows / 2) * width * channels;
    bands.set(data.subarray(from, from + bandBytes), band * bandBytes);
  }
  return { ...picture, height: rows * bandCount, data: bands };
}
