import type { Encoded } from "./encoder.ts";

export type ByteLimit = {
  maxBytes: number;
  /** The lowest quality that may be taken, and the one beyond which more bytes are not wanted; 1 to 100. */
  minQuality: number;
  bestQuality: number;
};

export type Fitted = {
  /** The best quality that fits; undefined where not even the lowest one does. */
  best: (Encoded & { quality: number }) | undefined;
  /** Bytes of the smallest encoding that was made. */
  smallestBytes: number;
};

type Point = { quality: number; bytes: number };
export type ByteSearch = ByteLimit & {
  encode: (quality: number) => Promise<Encoded>;
  mostEncodes: number;
  /** The first guess; without it the lowest quality. */
  firstQuality?: number;
  signal?: AbortSignal | undefined;
};

/** The search ends with a result that uses this share of the bytes: one step of a JPEG's setting is 3 to 5 %. */
const goodUse = 0.97;
/** The aim of a guess: most miss by less than the rest. */
const aimedUse = 0.985;
/** So many guesses by a photograph's growth may be too large; then the lowest quality is next. */
const mostOver = 3;
/** Qualities so near to each other give the same encoder setting. */
const finestStep = 0.5;

/**
 * The best quality whose encoding takes at most `maxBytes`, by at most `mostEncodes` encodings. Bytes rise with quality,
 * nearly as an exponential: guesses are made on straight lines of their logarithm, within the bracket known so far. The
 * lowest quality comes first: a limit that cannot be met is refused after one encoding. Searched for from above, eight encodings
 * of 24 MP took an engine 64 to 80 s for a refusal that costs its caller nothing.
 */
export async function fitBytes(search: ByteSearch): Promise<Fitted> {
  const { maxBytes, minQuality, bestQuality, encode, mostEncodes, signal } = search;
  const inRange = (quality: number) => Math.min(bestQuality, Math.max(minQuality, quality));
  let fits: (Point & { encoded: Encoded }) | undefined;
  let over: Point | undefined;
  let below: Point | undefined;
  let smallestBytes = Number.POSITIVE_INFINITY;
  let quality = inRange(search.firstQuality ?? minQuality);
  for (let left = mostEncodes; left > 0; left--) {
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
    // The lowest quality decides whether the limit can be met, and it is the bracket's lower end.
    const isStranded = !fits && (left === 2 || mostEncodes - left + 1 >= mostOver);
    quality = isStranded ? minQuality : inRange(guess({ fits, below, over, maxBytes }));
  }
  return { best: fits && { ...fits.encoded, quality: fits.quality }, smallestBytes };
}

/** `below` fitted too, before `fits` did. */
type Bracket = { fits: Point | undefined; below: Point | undefined; over: Point | undefined; maxBytes: number };

/** The quality at which the logarithm of the bytes would be the wanted one. */
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

/** As for photographs, or slower where two encodings of this picture show it: steps upwards would get shorter and shorter. */
function growthOf(known: Point, below: Point | undefined): number {
  const usual = growthAt(known.quality);
  if (!below || below.quality >= known.quality) return usual;
  const seen = Math.log(known.bytes / below.bytes) / (known.quality - below.quality);
  return Math.min(usual, Math.max(usual / 4, seen));
}

/** How fast the logarithm of a photograph's bytes rises with quality: measured on JPEG, WebP and AVIF alike. */
const growthAt = (quality: number): number => (quality < 80 ? 0.022 : quality < 92 ? 0.05 : 0.09);
