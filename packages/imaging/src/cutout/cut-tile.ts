import { fullOf, type Samples } from "../model/tensor.ts";
import { estimateLayers } from "./foreground.ts";
import { cellPx, type Matte, type Region, sampleGrid } from "./matte.ts";
import type { Outline } from "./outline.ts";
import type { ColourPlanes } from "./planes.ts";
import type { Profile } from "./profiles.ts";
import { refineAlpha } from "./refine-alpha.ts";

/** Rows of a picture in memory, alpha last and not premultiplied; `top` is the first row's place in the picture. */
export type Rows = { samples: Samples; width: number; channels: 2 | 4; top: number };

export type Cutting = { matte: Matte; outline: Outline; profile: Profile };

type TileContext = {
  from: Rows;
  to: Rows;
  cutting: Cutting;
  /** Surroundings that are looked at, px, as far as `from` has them. */
  around: number;
};

/**
 * Cuts one tile out of `from` into `to`. Opaque pixels stay untouched, transparent ones become 0 in all channels, and
 * those between take the subject's own colour. What was transparent before stays so.
 */
export function cutTile(tile: Region, { from, to, cutting, around }: TileContext): void {
  putSettled(tile, { from, to, matte: cutting.matte });
  const open = openBox(tile, cutting);
  if (!open) return;
  const part = grow(open, { by: around, rows: from });
  const colour = planesAt(part, from);
  const alpha = alphaAt(part, colour, { cutting, around });
  const { foreground } = estimateLayers(colour, alpha, { size: part });
  keepColoursOfAreas(
    foreground,
    colour,
    sampleGrid(cutting.outline.softness, { matte: cutting.matte, part, outside: 0 }),
  );
  putCut(open, { from, to, part, alpha, foreground });
}

type Settling = Pick<TileContext, "from" | "to"> & { matte: Matte };

/** Where nothing is open any more, alpha is 0 or 1, as the nearest cell says. */
function putSettled(tile: Region, { from, to, matte }: Settling): void {
  const { channels } = from;
  const { region, width, height, values } = matte;
  const columns = Int32Array.from({ length: tile.width }, (_, x) =>
    cellAt({ px: tile.left + x - region.left, lengthPx: region.width, cells: width }),
  );
  for (let y = 0; y < tile.height; y += 1) {
    const row = cellAt({ px: tile.top + y - region.top, lengthPx: region.height, cells: height });
    const source = indexOf(from, tile.left, tile.top + y);
    const target = indexOf(to, tile.left, tile.top + y);
    to.samples.fill(0, target, target + tile.width * channels);
    if (row < 0) continue;
    for (let x = 0, run = 0; x <= tile.width; x += 1) {
      const column = x < tile.width ? (columns[x] as number) : -1;
      if (column >= 0 && (values[row * width + column] as number) > 0.5) continue;
      if (x > run)
        to.samples.set(from.samples.subarray(source + run * channels, source + x * channels), target + run * channels);
      run = x + 1;
    }
  }
}

/** The cell over a pixel, or -1 beyond the grid. */
const cellAt = ({ px, lengthPx, cells }: { px: number; lengthPx: number; cells: number }) =>
  px < 0 || px >= lengthPx ? -1 : Math.floor(((px + 0.5) * cells) / lengthPx);

const indexOf = ({ width, channels, top }: Rows, x: number, y: number) => ((y - top) * width + x) * channels;

/** The box, within the tile, around all pixels that open cells have a say in. */
function openBox(tile: Region, { matte: { region, width, height }, outline: { reach } }: Cutting): Region | undefined {
  const [cellWidth, cellHeight] = [region.width / width, region.height / height];
  // Interpolation reaches for two cells on each side.
  const columns = cellsOver({ start: tile.left - region.left, length: tile.width, cellPx: cellWidth, cells: width });
  const rows = cellsOver({ start: tile.top - region.top, length: tile.height, cellPx: cellHeight, cells: height });
  let [x0, y0, x1, y1] = [width, height, -1, -1];
  for (let y = rows.first; y <= rows.last; y += 1)
    for (let x = columns.first; x <= columns.last; x += 1) {
      if ((reach[y * width + x] as number) <= 0) continue;
      x0 = Math.min(x0, x);
      x1 = Math.max(x1, x);
      y0 = Math.min(y0, y);
      y1 = y;
    }
  if (x1 < 0) return undefined;
  const left = Math.max(tile.left, region.left + Math.floor((x0 - 2) * cellWidth));
  const top = Math.max(tile.top, region.top + Math.floor((y0 - 2) * cellHeight));
  const right = Math.min(tile.left + tile.width, region.left + Math.ceil((x1 + 3) * cellWidth));
  const bottom = Math.min(tile.top + tile.height, region.top + Math.ceil((y1 + 3) * cellHeight));
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : undefined;
}

const cellsOver = ({
  start,
  length,
  cellPx: px,
  cells,
}: {
  start: number;
  length: number;
  cellPx: number;
  cells: number;
}) => ({
  first: Math.max(0, Math.floor(start / px) - 2),
  last: Math.min(cells - 1, Math.ceil((start + length) / px) + 1),
});

function grow({ left, top, width, height }: Region, { by, rows }: { by: number; rows: Rows }): Region {
  const bottomMost = rows.top + rows.samples.length / (rows.width * rows.channels);
  // On a lattice of the whole picture, so that tiles side by side sum up colours over the same squares.
  const down = (value: number) => Math.floor(value / lattice) * lattice;
  const [x, y] = [Math.max(0, down(left - by)), Math.max(rows.top, down(top - by))];
  return {
    left: x,
    top: y,
    width: Math.min(rows.width, left + width + by) - x,
    height: Math.min(bottomMost, top + height + by) - y,
  };
}

export const lattice = 64;

/** Grey becomes three planes alike. */
function planesAt(part: Region, from: Rows): ColourPlanes {
  const area = part.width * part.height;
  const planes = new Float32Array(3 * area);
  const factor = 1 / fullOf(from.samples);
  const [green, blue] = from.channels === 4 ? [1, 2] : [0, 0];
  for (let y = 0, i = 0; y < part.height; y += 1)
    for (let x = 0, at = indexOf(from, part.left, part.top + y); x < part.width; x += 1, i += 1, at += from.channels) {
      planes[i] = (from.samples[at] as number) * factor;
      planes[area + i] = (from.samples[at + green] as number) * factor;
      planes[2 * area + i] = (from.samples[at + blue] as number) * factor;
    }
  return planes;
}

function alphaAt(
  part: Region,
  colour: ColourPlanes,
  { cutting: { matte, outline, profile }, around }: Pick<TileContext, "cutting" | "around">,
): Float32Array {
  const sample = (grid: Float32Array) => sampleGrid(grid, { matte, part, outside: 0 });
  const alpha = refineAlpha(
    {
      size: part,
      colour,
      coarse: sample(matte.values),
      reach: sample(outline.reach),
      softness: sample(outline.softness),
      cellPx: cellPx(matte),
      carryPx: around,
    },
    profile,
  );
  // What nobody can see costs bytes, and what nobody can see through costs depth.
  for (let i = 0; i < alpha.length; i += 1) alpha[i] = Math.min(1, Math.max(0, ((alpha[i] as number) - 0.01) / 0.98));
  return alpha;
}

/** Where the network is undecided over an area, nothing tells subject and background apart: colours stay as they are. */
function keepColoursOfAreas(foreground: ColourPlanes, colour: ColourPlanes, softness: Float32Array): void {
  const area = softness.length;
  for (let i = 0; i < area; i += 1) {
    const undecided = Math.min(1, Math.max(0, -2 * (softness[i] as number)));
    if (undecided === 0) continue;
    for (let at = i; at < 3 * area; at += area)
      foreground[at] = (foreground[at] as number) * (1 - undecided) + (colour[at] as number) * undecided;
  }
}

type Cut = { from: Rows; to: Rows; part: Region; alpha: Float32Array; foreground: ColourPlanes };

function putCut(open: Region, { from, to, part, alpha, foreground }: Cut): void {
  const { channels } = from;
  const area = part.width * part.height;
  const most = fullOf(from.samples);
  for (let y = 0; y < open.height; y += 1) {
    let source = indexOf(from, open.left, open.top + y);
    let target = indexOf(to, open.left, open.top + y);
    let i = (open.top - part.top + y) * part.width + open.left - part.left;
    for (let x = 0; x < open.width; x += 1, i += 1, source += channels, target += channels) {
      const value = alpha[i] as number;
      const own = from.samples[source + channels - 1] as number;
      to.samples[target + channels - 1] = Math.round(value * own);
      for (let k = 0; k < channels - 1; k += 1)
        to.samples[target + k] =
          value >= 1
            ? (from.samples[source + k] as number)
            : value > 0 || hasVisibleNeighbour(alpha, i, part)
              ? Math.round((foreground[k * area + i] as number) * most)
              : 0;
    }
  }
}

/** Beside what is seen the subject's colour goes on for a pixel: who scales the picture mixes it in. */
function hasVisibleNeighbour(alpha: Float32Array, i: number, { width, height }: Region): boolean {
  const x = i % width;
  return (
    (x > 0 && (alpha[i - 1] as number) > 0) ||
    (x + 1 < width && (alpha[i + 1] as number) > 0) ||
    (i >= width && (alpha[i - width] as number) > 0) ||
    (i + width < width * height && (alpha[i + width] as number) > 0)
  );
}
