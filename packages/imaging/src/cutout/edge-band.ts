import type { Rectangle } from "@tintype/codecs/raster";
import { type Matte, pixelRuns, sampleRun, samplingOf } from "./matte.ts";
import type { Outline } from "./outline.ts";

/**
 * The pixels of a part along the outline, about a twentieth of a portrait photograph: the unknown region of a trimap,
 * and its surroundings. All others have an alpha of 0 or 1, from the nearest cell, and keep it. Every open pixel has
 * neighbours of the band on all sides.
 */
export type EdgeBand = {
  /** Their indices in the part, ascending. */
  pixels: Int32Array;
  /** The coarse matte at each of them, 0..1. */
  coarse: Float32Array;
  /** Above 0 where alpha is open (unknown); elsewhere alpha is 0 or 1. */
  reach: Float32Array;
  /** As `Outline.softness`, at each of them. */
  softness: Float32Array;
};

/** 1 for each cell so near to the outline that its pixels may be open, or adjacent to open ones. */
export function edgeCells({ width, height, region }: Matte, { reach }: Outline): Uint8Array {
  const cells = new Uint8Array(reach.length);
  // The interpolation kernel reads two cells on each side, and a pixel's neighbours may be in the next cell.
  const by = 2 + Math.ceil(Math.max(width / region.width, height / region.height));
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    for (let x = 0; x < width; x += 1) {
      const start = x;
      while (x < width && (reach[row + x] as number) > 0) x += 1;
      if (x === start) continue;
      const [first, end] = [Math.max(0, start - by), Math.min(width, x + by)];
      for (let near = Math.max(0, y - by); near <= Math.min(height - 1, y + by); near += 1)
        cells.fill(1, near * width + first, near * width + end);
    }
  }
  return cells;
}

type Grids = { matte: Matte; outline: Outline; cells: Uint8Array };

export function edgeBandIn(part: Rectangle, { matte, outline, cells }: Grids): EdgeBand {
  const rows = pixelRuns(cells, { matte, part });
  let count = 0;
  for (const runs of rows) for (const { from, to } of runs) count += to - from;
  const band = {
    pixels: new Int32Array(count),
    coarse: new Float32Array(count),
    reach: new Float32Array(count),
    softness: new Float32Array(count),
  };
  const sampling = samplingOf(matte, part);
  let at = 0;
  for (const [y, runs] of rows.entries())
    for (const { from, to } of runs) {
      for (let x = from; x < to; x += 1) band.pixels[at + x - from] = y * part.width + x;
      const run = { sampling, y, from, to };
      sampleRun(matte.values, { ...run, target: band.coarse.subarray(at) });
      sampleRun(outline.reach, { ...run, target: band.reach.subarray(at) });
      sampleRun(outline.softness, { ...run, target: band.softness.subarray(at) });
      at += to - from;
    }
  return band;
}
