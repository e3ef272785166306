import type { Rectangle } from "@tintype/codecs/raster";

/** Alpha 0..1 on a grid of `width` x `height` cells that covers `region` of the picture; 0 outside it. */
export type Matte = { values: Float32Array; width: number; height: number; region: Rectangle };

/** The longer side of a cell, px. */
export const cellPx = ({ width, height, region }: Omit<Matte, "values">): number =>
  Math.max(region.width / width, region.height / height);

/**
 * A grid's values at each pixel of a part of the picture, by cubic interpolation (Catmull-Rom: it passes through the
 * samples and avoids the diamond artefacts of bilinear interpolation at ratios of four and more).
 * @param outside the value beyond the matte's region
 */
export function sampleGrid(
  grid: Float32Array,
  { matte, part, outside }: { matte: Omit<Matte, "values">; part: Rectangle; outside: number },
): Float32Array {
  const sampling = samplingOf(matte, part);
  const values = new Float32Array(part.width * part.height).fill(outside);
  for (let y = 0; y < part.height; y += 1)
    sampleRun(grid, { sampling, y, from: 0, to: part.width, target: values.subarray(y * part.width) });
  return values;
}

/** A matte resampled onto another grid, which acts as a picture of one pixel per cell; 0 outside the matte's region. */
export function onGridOf({ width, height, region }: Omit<Matte, "values">, matte: Matte): Float32Array {
  const [across, down] = [width / region.width, height / region.height];
  const placed = {
    left: (matte.region.left - region.left) * across,
    top: (matte.region.top - region.top) * down,
    width: matte.region.width * across,
    height: matte.region.height * down,
  };
  const part = { left: 0, top: 0, width, height };
  return sampleGrid(matte.values, { matte: { ...matte, region: placed }, part, outside: 0 });
}

/** The interpolation taps of a part's pixels over the cells of a grid. */
export type RowSampler = { across: Taps; down: Taps; width: number; row: Float32Array };

export const samplingOf = ({ width, height, region }: Omit<Matte, "values">, part: Rectangle): RowSampler => ({
  across: tapsOf({ cells: width, start: region.left, length: region.width }, part.left, part.width),
  down: tapsOf({ cells: height, start: region.top, length: region.height }, part.top, part.height),
  width,
  row: new Float32Array(width),
});

type Run = { sampling: RowSampler; y: number; from: number; to: number; target: Float32Array };

/**
 * As `sampleGrid`, for the pixels of row `y` from `from` up to `to`; beyond the matte's region `target` is unchanged.
 */
export function sampleRun(grid: Float32Array, { sampling: { across, down, width, row }, y, from, to, target }: Run) {
  if (down.isOutside[y] || from >= to) return;
  const { cells, weights, isOutside } = across;
  const [first, last] = [cells[4 * from] as number, cells[4 * to - 1] as number];
  blendRows(grid, { width, taps: down, at: y, row, first, last });
  for (let x = from, at = 4 * from; x < to; x += 1, at += 4)
    if (!isOutside[x])
      target[x - from] =
        (weights[at] as number) * (row[cells[at] as number] as number) +
        (weights[at + 1] as number) * (row[cells[at + 1] as number] as number) +
        (weights[at + 2] as number) * (row[cells[at + 2] as number] as number) +
        (weights[at + 3] as number) * (row[cells[at + 3] as number] as number);
}

/** Four cells and their weights for each pixel along one axis. */
type Taps = { cells: Int32Array; weights: Float32Array; isOutside: Uint8Array };

function tapsOf(axis: { cells: number; start: number; length: number }, first: number, count: number): Taps {
  const taps: Taps = {
    cells: new Int32Array(4 * count),
    weights: new Float32Array(4 * count),
    isOutside: new Uint8Array(count),
  };
  for (let i = 0; i < count; i += 1) {
    const pixel = first + i - axis.start;
    taps.isOutside[i] = pixel < 0 || pixel >= axis.length ? 1 : 0;
    const position = ((pixel + 0.5) * axis.cells) / axis.length - 0.5;
    const cell = Math.floor(position);
    const t = position - cell;
    taps.weights[4 * i] = 0.5 * t * (t * (2 - t) - 1);
    taps.weights[4 * i + 1] = 0.5 * (t * t * (3 * t - 5) + 2);
    taps.weights[4 * i + 2] = 0.5 * t * (t * (4 - 3 * t) + 1);
    taps.weights[4 * i + 3] = 0.5 * t * t * (t - 1);
    for (let k = 0; k < 4; k += 1) taps.cells[4 * i + k] = Math.max(0, Math.min(axis.cells - 1, cell - 1 + k));
  }
  return taps;
}

type BlendOptions = { width: number; taps: Taps; at: number; row: Float32Array; first: number; last: number };

function blendRows(grid: Float32Array, { width, taps, at, row, first, last }: BlendOptions): void {
  const start = (k: number) => (taps.cells[4 * at + k] as number) * width;
  const weight = (k: number) => taps.weights[4 * at + k] as number;
  const [r0, r1, r2, r3] = [start(0), start(1), start(2), start(3)];
  const [w0, w1, w2, w3] = [weight(0), weight(1), weight(2), weight(3)];
  for (let x = first; x <= last; x += 1)
    row[x] =
      w0 * (grid[r0 + x] as number) +
      w1 * (grid[r1 + x] as number) +
      w2 * (grid[r2 + x] as number) +
      w3 * (grid[r3 + x] as number);
}

type PixelRun = { from: number; to: number };

/** For each row of a part, the runs of pixels (`from` up to `to`) over cells that are not 0. */
export function pixelRuns(cells: Uint8Array, { matte, part }: { matte: Matte; part: Rectangle }): PixelRun[][] {
  const { width, height, region } = matte;
  const columns = cellsAlong({ start: part.left - region.left, count: part.width, length: region.width, cells: width });
  const rows = cellsAlong({ start: part.top - region.top, count: part.height, length: region.height, cells: height });
  const known = new Map<number, PixelRun[]>([[-1, []]]);
  return Array.from(rows, (row) => {
    const runs = known.get(row) ?? runsOver(cells.subarray(row * width, (row + 1) * width), columns);
    known.set(row, runs);
    return runs;
  });
}

type Along = { start: number; count: number; length: number; cells: number };

/** The cell over each pixel along one axis, or -1 beyond the grid. */
const cellsAlong = ({ start, count, length, cells }: Along) =>
  Int32Array.from({ length: count }, (_, i) => {
    const px = start + i;
    return px < 0 || px >= length ? -1 : Math.floor(((px + 0.5) * cells) / length);
  });

function runsOver(cells: Uint8Array, columns: Int32Array): PixelRun[] {
  const runs: PixelRun[] = [];
  for (let x = 0; x < columns.length; x += 1) {
    const from = x;
    while (x < columns.length && cells[columns[x] as number] === 1) x += 1;
    if (x > from) runs.push({ from, to: x });
  }
  return runs;
}
