import type { Raster } from "../raster/raster.ts";
import { likenessTo } from "./score/ssimulacra2.ts";

/** Judges changed copies of a sample by their SSIMULACRA 2 score against the sample. */
export type Judge = { sample: Raster<Uint8Array>; likeness: (changed: Raster<Uint8Array>) => number };

export function judgeFor(picture: Raster<Uint8Array>): Judge {
  const sample = sampleOf(picture);
  return { sample, likeness: likenessTo(sample) };
}

/** Below these sizes the score means nothing: it compares areas of 8 px and up. */
const smallest = { sidePx: 16, pixels: 1024 };

/** Too small for its score to mean anything. */
export const isTiny = ({ width, height }: Raster): boolean =>
  Math.min(width, height) < smallest.sidePx || width * height < smallest.pixels;

const tileSide = 96;
const tilesAcross = 6;

/**
 * A small picture that represents a large one: 36 tiles from all over it, side by side. Judging a candidate on it takes
 * a fifth of a second, whatever the size. A picture that is not much larger represents itself.
 */
export function sampleOf(picture: Raster<Uint8Array>): Raster<Uint8Array> {
  const { width, height, channels, data } = picture;
  const side = tileSide * tilesAcross;
  if (width * height <= side * side * 1.2) return picture;
  const across = Math.min(width, side);
  const down = Math.min(height, side);
  const sample = new Uint8Array(across * down * channels);
  for (let y = 0; y < down; y++) {
    const fromY = y + shift(y, down, height);
    for (let left = 0; left < across; left += tileSide) {
      const from = (fromY * width + left + shift(left, across, width)) * channels;
      const length = Math.min(tileSide, across - left) * channels;
      sample.set(data.subarray(from, from + length), (y * across + left) * channels);
    }
  }
  return { width: across, height: down, channels, data: sample };
}

/** The offset of the tile around `at` in the whole picture: the first tile touches one edge, the last the other. */
function shift(at: number, sampled: number, whole: number): number {
  const lastTile = Math.ceil(sampled / tileSide) - 1;
  return lastTile === 0 ? 0 : Math.floor((Math.floor(at / tileSide) / lastTile) * (whole - sampled));
}
