import type { Raster } from "@tintype/codecs/raster";
import { type RowReader, rowsOf } from "@tintype/codecs/raster";
import { likenessTo } from "@tintype/codecs/score";

/** Scores changed copies of a sample by SSIMULACRA 2 against the sample. */
export type SampleScorer = { sample: Raster<Uint8Array>; likeness: (changed: Raster<Uint8Array>) => number };

export function createSampleScorer(picture: Raster<Uint8Array>): SampleScorer {
  const sample = sampleOf(picture);
  return { sample, likeness: likenessTo(sample) };
}

/** Below these sizes the score is meaningless: it compares scales of 8 px and up. */
const smallest = { sidePx: 16, pixels: 1024 };

/** Too small for a meaningful score. */
export const isTiny = ({ width, height }: Raster): boolean =>
  Math.min(width, height) < smallest.sidePx || width * height < smallest.pixels;

/** Square tiles of `side` px, in a grid of `across` x `across`. */
type Tiles = { side: number; across: number };
const fewTiles: Tiles = { side: 96, across: 6 };

/**
 * A small picture that represents a large one: 36 tiles spread over it, side by side. Scoring a candidate on it takes a
 * fifth of a second, for any size. A picture that is not much larger is its own sample.
 */
export function sampleOf(picture: Raster<Uint8Array>): Raster<Uint8Array> {
  return isSmall(picture, fewTiles) ? picture : sampleRows(rowsOf(picture), { first: 0, ...picture }, fewTiles);
}

/**
 * The tiles of a picture of `height` rows that starts at row `first` of the reader, side by side; the picture itself if
 * it is not much larger than they are. Rows are read in ascending order.
 */
export function sampleRows(
  { width, channels, readRow }: RowReader<Uint8Array>,
  { first, height }: { first: number; height: number },
  tiles: Tiles,
): Raster<Uint8Array> {
  const most = tiles.side * tiles.across;
  const isWhole = isSmall({ width, height }, tiles);
  const across = isWhole ? width : Math.min(width, most);
  const down = isWhole ? height : Math.min(height, most);
  const step = isWhole ? width : tiles.side;
  const shiftIn = (at: number, [sampled, whole]: [number, number]) =>
    isWhole ? 0 : shift(at, { sampled, whole, side: tiles.side });
  const sample = new Uint8Array(across * down * channels);
  for (let y = 0; y < down; y++) {
    const row = readRow(first + y + shiftIn(y, [down, height]));
    for (let left = 0; left < across; left += step) {
      const from = (left + shiftIn(left, [across, width])) * channels;
      const length = Math.min(step, across - left) * channels;
      sample.set(row.subarray(from, from + length), (y * across + left) * channels);
    }
  }
  return { width: across, height: down, channels, data: sample };
}

const isSmall = ({ width, height }: { width: number; height: number }, { side, across }: Tiles): boolean =>
  width * height <= (side * across) ** 2 * 1.2;

/** The offset of the tile at `at` in the whole picture: the first tile touches one edge, the last one the other. */
function shift(at: number, { sampled, whole, side }: { sampled: number; whole: number; side: number }): number {
  const lastTile = Math.ceil(sampled / side) - 1;
  return lastTile === 0 ? 0 : Math.floor((Math.floor(at / side) / lastTile) * (whole - sampled));
}
