/** A part of a picture, px. */
export type Region = { left: number; top: number; width: number; height: number };

/** Alpha 0..1 on a grid of `width` x `height` cells that covers `region` of the picture; 0 outside of it. */
export type Matte = { values: Float32Array; width: number; height: number; region: Region };

/** The longer side of a cell, px. */
export const cellPx = ({ width, height, region }: Omit<Matte, "values">): number =>
  Math.max(region.width / width, region.height / height);

/**
 * A grid's values at each pixel of a part of the picture, by cubic interpolation (Catmull-Rom: through the values, and
 * without the diamonds that a linear one shows at ratios of four and more).
 * @param outside what holds beyond the matte's region
 */
export function sampleGrid(
  grid: Float32Array,
  { matte, part, outside }: { matte: Omit<Matte, "values">; part: Region; outside: number },
): Float32Array {
  const across = tapsOf(
    { cells: matte.width, start: matte.region.left, length: matte.region.width },
    part.left,
    part.width,
  );
  const down = tapsOf(
    { cells: matte.height, start: matte.region.top, length: matte.region.height },
    part.top,
    part.height,
  );
  const values = new Float32Array(part.width * part.height);
  const row = new Float32Array(matte.width);
  for (let y = 0; y < part.height; y += 1) {
    const target = values.subarray(y * part.width, (y + 1) * part.width);
    if (down.isOutside[y]) {
      target.fill(outside);
      continue;
    }
    blendRows(grid, { width: matte.width, taps: down, at: y, row });
    for (let x = 0, at = 0; x < part.width; x += 1, at += 4)
      target[x] = across.isOutside[x]
        ? outside
        : (across.weights[at] as number) * (row[across.cells[at] as number] as number) +
          (across.weights[at + 1] as number) * (row[across.cells[at + 1] as number] as number) +
          (across.weights[at + 2] as number) * (row[across.cells[at + 2] as number] as number) +
          (across.weights[at + 3] as number) * (row[across.cells[at + 3] as number] as number);
  }
  return values;
}

/** For each pixel of one axis four cells and their weights. */
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
    const weights = [
      0.5 * t * (t * (2 - t) - 1),
      0.5 * (t * t * (3 * t - 5) + 2),
      0.5 * t * (t * (4 - 3 * t) + 1),
      0.5 * t * t * (t - 1),
    ];
    for (const [k, weight] of weights.entries()) {
      taps.cells[4 * i + k] = Math.max(0, Math.min(axis.cells - 1, cell - 1 + k));
      taps.weights[4 * i + k] = weight;
    }
  }
  return taps;
}

type Blending = { width: number; taps: Taps; at: number; row: Float32Array };

function blendRows(grid: Float32Array, { width, taps, at, row }: Blending): void {
  const first = (k: number) => (taps.cells[4 * at + k] as number) * width;
  const weight = (k: number) => taps.weights[4 * at + k] as number;
  const [r0, r1, r2, r3] = [first(0), first(1), first(2), first(3)];
  const [w0, w1, w2, w3] = [weight(0), weight(1), weight(2), weight(3)];
  for (let x = 0; x < width; x += 1)
    row[x] =
      w0 * (grid[r0 + x] as number) +
      w1 * (grid[r1 + x] as number) +
      w2 * (grid[r2 + x] as number) +
      w3 * (grid[r3 + x] as number);
}
