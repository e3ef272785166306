import { deflateSync } from "node:zlib";
import { deflateOptimally, type ParseEffort } from "@tintype/codecs/entropy";
import type { Raster } from "@tintype/codecs/raster";
import { type PngHead, pngFile } from "./container.ts";

/** One encoding of the picture. */
export type PngCandidate = {
  /** Lossless. */
  isExact?: true;
  /** A fast compression, which estimates the bytes of this encoding. */
  quickly: () => Uint8Array;
  /** The best compression: seconds for a large picture. */
  thoroughly: () => Promise<Uint8Array>;
  /** The scorer's sample in the same encoding, with the fast compression. */
  onSample?: () => { sample: Raster<Uint8Array>; bytes: Uint8Array };
};

/** Candidates within this factor may swap ranks: the best compression saves 5 to 15 % on each kind. */
export const closeBy = 1.15;

/** A PNG before filtering. `rows`: scanlines padded to whole bytes, without filter type bytes. */
type PngPicture = PngHead & { rows: Uint8Array; filter: "none" | "average" };

/**
 * An encoding with one filter type for all rows, compressed by zlib at level 6, or thoroughly by our optimal parse.
 * `effort` is undefined for pictures so large that the optimal parse would take minutes.
 */
export function candidateOf(picture: PngPicture, effort: ParseEffort | undefined): PngCandidate {
  let quick: Uint8Array | undefined;
  const quickly = () => {
    quick ??= packed(picture, undefined);
    return quick;
  };
  return { quickly, thoroughly: async () => (effort ? packed(picture, effort) : quickly()) };
}

function packed({ rows, filter, ...head }: PngPicture, effort: ParseEffort | undefined): Buffer {
  const { height, depth, colourType } = head;
  const pixelBytes = bytesAPixel(colourType, depth);
  const rowBytes = rows.length / height;
  const length = rows.length + height;
  const fill = (to: Uint8Array) => filterRows(rows, to, { height, filter, pixelBytes });
  return pngFile(
    head,
    effort
      ? deflateOptimally({ length, rowBytes: rowBytes + 1, pixelBytes }, effort, fill)
      : [deflateSync(fill(new Uint8Array(length)), { level: 6, memLevel: 9 })],
  );
}

const samplesAPixel = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;
/** Bytes per complete pixel, rounded up to one (PNG, third edition, 9.2). */
const bytesAPixel = (colourType: PngPicture["colourType"], depth: number) =>
  Math.max(1, (samplesAPixel[colourType] * depth) / 8);

type FilterOptions = { height: number; filter: PngPicture["filter"]; pixelBytes: number };

/** Filters each scanline to `filtered`, after its filter type byte: None or Average (PNG, third edition, 9.2). */
function filterRows(rows: Uint8Array, filtered: Uint8Array, { height, filter, pixelBytes }: FilterOptions): Uint8Array {
  const length = rows.length / height;
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * length, y * (length + 1) + 1];
    if (filter === "none") {
      filtered.set(rows.subarray(from, from + length), to);
      continue;
    }
    filtered[to - 1] = 3;
    for (let i = 0; i < length; i++) {
      const left = i >= pixelBytes ? (rows[from + i - pixelBytes] as number) : 0;
      const above = y > 0 ? (rows[from + i - length] as number) : 0;
      filtered[to + i] = (rows[from + i] as number) - ((left + above) >> 1);
    }
  }
  return filtered;
}
