import { type Curve, valueAt } from "@tintype/codecs/curve";
import type { Encoded } from "./encoder.ts";

export type ByteLimit = {
  maxBytes: number;
  /** The lowest and the highest acceptable quality, 1 to 100. */
  minQuality: number;
  bestQuality: number;
};

export type Fitted = {
  /** The best encoding that fits; undefined if none does at the lowest quality. */
  best: (Encoded & { quality: number }) | undefined;
  /** Bytes of the smallest encoding that was tried. */
  smallestBytes: number;
};

export type ByteSearch = {
  maxBytes: number;
  /** The qualities to choose from, ascending (`distinctQualities`). */
  qualities: readonly number[];
  encode: (quality: number) => Promise<Encoded>;
  maxEncodes: number;
  /** The first guess; by default the lowest quality. */
  firstQuality?: number;
  /** The expected growth of ln(bytes) with quality, by default that of photographs; only differences count. */
  growth?: Curve;
  signal?: AbortSignal | undefined;
};

/** An encoding by its index in the qualities. */
type Point = { at: number; lnBytes: number };

/** ln(bytes) of photographs as JPEG, WebP and AVIF, less that at quality 1: averages of six pictures. */
const photographGrowth: Curve = [
  [1, 0],
  [40, 1.01],
  [80, 1.83],
  [90, 2.27],
  [100, 3.1],
];

/** A picture's own growth is at most and at least these multiples of the expected one; beyond, it is noise. */
const slopes = { min: 0.15, max: 3 };
/** A guess aims this much, in ln(bytes), below the limit. */
const margin = 0.005;
/**
 * The search ends early if the room left is less than this share of the step to the next quality: no step is so much
 * smaller than expected.
 */
const hopelessShare = 0.5;

/**
 * Finds the best of the qualities whose encoding takes at most `maxBytes`, in at most `maxEncodes` encodings. Each
 * guess interpolates ln(bytes) along the expected growth, and the search ends when the next quality is known not to
 * fit. So the result depends on the limit alone and not on the path to it, and a higher limit never gives a lower
 * quality. By default it starts at the lowest quality, so that a limit that cannot be met is refused after one
 * encoding.
 */
export async function fitBytes(search: ByteSearch): Promise<Fitted> {
  const { maxBytes, qualities, encode, maxEncodes, signal } = search;
  const expected = qualities.map((quality) => valueAt(search.growth ?? photographGrowth, quality));
  const first = qualities.findIndex((quality) => quality >= (search.firstQuality ?? 0));
  let best: Fitted["best"];
  let fits: Point | undefined;
  let below: Point | undefined;
  let over: Point | undefined;
  let side = 0;
  let smallestBytes = Number.POSITIVE_INFINITY;
  let at: number | undefined = Math.max(0, first);
  for (let left = maxEncodes; left > 0 && at !== undefined; left--) {
    signal?.throwIfAborted();
    const quality = qualities[at] ?? 1;
    const encoded = await encode(quality);
    const bytes = encoded.bytes.length;
    smallestBytes = Math.min(smallestBytes, bytes);
    const point: Point = { at, lnBytes: Math.log(bytes) };
    if (bytes <= maxBytes) {
      best = { ...encoded, quality };
      below = fits;
      fits = point;
      side = Math.max(1, side + 1);
    } else {
      over = point;
      side = Math.min(-1, side - 1);
    }
    // The last encoding must fit, if any can.
    at = !fits && left === 2 && at > 0 ? 0 : nextGuess({ fits, below, over, side, maxBytes, qualities, expected });
  }
  return { best, smallestBytes };
}

type Known = {
  fits: Point | undefined;
  /** The point that fitted before `fits`. */
  below: Point | undefined;
  over: Point | undefined;
  /** How many guesses in a row fitted, or, negative, did not. */
  side: number;
  maxBytes: number;
  qualities: readonly number[];
  expected: readonly number[];
};

/** The index of the best quality that is expected to fit, among those not yet decided; undefined if all are. */
function nextGuess({ fits, below, over, side, maxBytes, qualities, expected }: Known): number | undefined {
  const known = fits ?? over;
  const top = qualities.length - 1;
  const lowest = fits ? fits.at + 1 : 0;
  const highest = over ? over.at - 1 : highestUnknown(qualities, lowest);
  if (!known || lowest > Math.min(highest, top)) return undefined;
  const room = Math.log(maxBytes);
  // The Illinois variant of regula falsi: the end that stays is moved towards the limit each time.
  const stale = (point: Point, isStale: boolean): Point =>
    isStale ? { ...point, lnBytes: room + (point.lnBytes - room) / 2 ** (Math.abs(side) - 1) } : point;
  const isBracket = fits && over && !isLossless(qualities, over);
  const from = isBracket ? stale(fits, side < -1) : known;
  const slope = slopeBetween(isBracket ? [from, stale(over, side > 1)] : [fits, below], expected);
  const lnBytesAt = (at: number) => from.lnBytes + slope * ((expected[at] ?? 0) - (expected[from.at] ?? 0));
  const isHopeless =
    fits && fits.at > 0 && room - fits.lnBytes < hopelessShare * (lnBytesAt(lowest) - lnBytesAt(fits.at));
  if (isHopeless) return undefined;
  let guess = lowest;
  while (guess < highest && lnBytesAt(guess + 1) <= room - margin) guess++;
  return guess;
}

/** Lossless coding may take a multiple of the bytes of 99: it comes last, and tells nothing about other qualities. */
const losslessQuality = 100;

const isLossless = (qualities: readonly number[], point: Point | undefined) =>
  point !== undefined && qualities[point.at] === losslessQuality;

function highestUnknown(qualities: readonly number[], lowest: number): number {
  const top = qualities.length - 1;
  return qualities[top] === losslessQuality && lowest < top ? top - 1 : top;
}

/** How fast this picture's bytes grow, as a multiple of the expected growth. */
function slopeBetween([one, other]: readonly (Point | undefined)[], expected: readonly number[]): number {
  if (!one || !other) return 1;
  const slope = (other.lnBytes - one.lnBytes) / ((expected[other.at] ?? 0) - (expected[one.at] ?? 0));
  return Math.min(slopes.max, Math.max(slopes.min, slope));
}
