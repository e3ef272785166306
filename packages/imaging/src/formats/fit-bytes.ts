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

type Point = { quality: number; bytes: number };
export type ByteSearch = ByteLimit & {
  encode: (quality: number) => Promise<Encoded>;
  maxEncodes: number;
  /** The first guess; by default the lowest quality. */
  firstQuality?: number;
  signal?: AbortSignal | undefined;
};

/**
 * The search ends with a result of at least this share of the limit: one step of a JPEG setting changes the bytes by 3
 * to 5 %.
 */
const goodUse = 0.97;
/** The share of the limit that a guess aims for. Most guesses miss by less than the remaining 1.5 %. */
const aimedUse = 0.985;
/** After this many guesses above the limit, the lowest quality is next. */
const maxMisses = 3;
/** Qualities closer than this give the same encoder setting. */
const finestStep = 0.5;

/**
 * Finds the best quality whose encoding takes at most `maxBytes`, in at most `maxEncodes` encodings. ln(bytes) is
 * nearly linear in quality: the search interpolates it within the current bracket. By default it starts at the lowest
 * quality, so that a limit that cannot be met is refused after one encoding. A search from above spent eight encodings
 * of 24 MP, 64 to 80 s, on a refusal that is free for the caller.
 */
export async function fitBytes(search: ByteSearch): Promise<Fitted> {
  const { maxBytes, minQuality, bestQuality, encode, maxEncodes, signal } = search;
  const inRange = (quality: number) => Math.min(bestQuality, Math.max(minQuality, quality));
  let fits: (Point & { encoded: Encoded }) | undefined;
  let over: Point | undefined;
  let below: Point | undefined;
  let smallestBytes = Number.POSITIVE_INFINITY;
  let quality = inRange(search.firstQuality ?? minQuality);
  for (let left = maxEncodes; left > 0; left--) {
    signal?.throwIfAborted();
    const encoded = await encode(quality);
    const bytes = encoded.bytes.length;
    smallestBytes = Math.min(smallestBytes, bytes);
    if (bytes <= maxBytes) {
      below = fits;
      fits = { quality, bytes, encoded };
    } else over = { quality, bytes };
    if (fits && (fits.quality >= bestQuality || fits.bytes >= maxBytes * goodUse)) break;
    if (over && over.quality <= minQuality) break;
    if (fits && over && over.quality - fits.quality <= finestStep) break;
    // The lowest quality decides whether the limit can be met, and is the lower end of the bracket.
    const isStranded = !fits && (left === 2 || maxEncodes - left + 1 >= maxMisses);
    quality = isStranded ? minQuality : inRange(guess({ fits, below, over, maxBytes }));
  }
  return { best: fits && { ...fits.encoded, quality: fits.quality }, smallestBytes };
}

/** `below`: the point that fitted before `fits`. */
type Bracket = { fits: Point | undefined; below: Point | undefined; over: Point | undefined; maxBytes: number };

/** The quality at which ln(bytes) is estimated to reach the aim. */
function guess({ fits, below, over, maxBytes }: Bracket): number {
  const wanted = Math.log(maxBytes * aimedUse);
  if (fits && over) {
    const width = over.quality - fits.quality;
    const share = (wanted - Math.log(fits.bytes)) / (Math.log(over.bytes) - Math.log(fits.bytes));
    return fits.quality + width * Math.min(0.9, Math.max(0.1, share));
  }
  const known = fits ?? over;
  if (!known) return 80;
  const distance = (wanted - Math.log(known.bytes)) / growthOf(known, below);
  return known.quality + (fits ? Math.max(2, distance) : Math.min(-2, distance));
}

/**
 * The growth of photographs, or a lower one measured on this picture: otherwise steps upwards would become ever
 * shorter.
 */
function growthOf(known: Point, below: Point | undefined): number {
  const usual = growthAt(known.quality);
  if (!below || below.quality >= known.quality) return usual;
  const seen = Math.log(known.bytes / below.bytes) / (known.quality - below.quality);
  return Math.min(usual, Math.max(usual / 4, seen));
}

/** The slope of ln(bytes) over quality for photographs, measured on JPEG, WebP and AVIF. */
const growthAt = (quality: number): number => (quality < 80 ? 0.022 : quality < 92 ? 0.05 : 0.09);
