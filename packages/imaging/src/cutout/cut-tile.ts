import { type Channels, fullScale, type IntegerSamples, type Rectangle } from "@tintype/codecs/raster";
import { type EdgeBand, edgeBandIn } from "./edge-band.ts";
import { estimateForeground } from "./foreground.ts";
import { cellPx, type Matte, pixelRuns } from "./matte.ts";
import type { Outline } from "./outline.ts";
import { type ColourPlanes, planeOf, type Scratch } from "./planes.ts";
import type { Profile } from "./profiles.ts";
import { refineAlpha } from "./refine-alpha.ts";

/** Rows of a picture in memory, alpha last and not premultiplied; `top` is the index of the first row. */
export type Rows = { samples: IntegerSamples; width: number; channels: Channels; top: number };

export type CutInputs = {
  matte: Matte;
  outline: Outline;
  profile: Profile;
  /** 1 for each cell of the matte inside the subject, and for each that the edge band covers. */
  cells: { inside: Uint8Array; edge: Uint8Array };
};

export type TileContext = {
  from: Rows;
  to: Rows;
  cutting: CutInputs;
  /** The margin around the tile, px, as far as `from` contains it. */
  around: number;
};

/**
 * Cuts one tile out of `from` into `to`. Opaque pixels are copied, transparent ones become 0 in all channels, and the
 * others get the estimated foreground colour. Pixels that were transparent before remain so.
 */
export function cutTile(
  tile: Rectangle,
  { from, to, cutting, around, scratch }: TileContext & { scratch: Scratch },
): void {
  copyOpaque(tile, { from, to, cutting });
  const open = openBox(tile, cutting);
  if (!open) return;
  const part = grow(open, { by: around, rows: from });
  const colour = planesAt(part, { from, scratch });
  const band = edgeBandIn(part, { matte: cutting.matte, outline: cutting.outline, cells: cutting.cells.edge });
  const alpha = alphaAt(part, { colour, band, cutting, around, scratch });
  const foreground = estimateForeground(colour, alpha, { size: part, scratch });
  keepColoursOfAreas(foreground, colour, band);
  putCut(open, { from, to, part, band, alpha, foreground });
}

type CopyInputs = Pick<TileContext, "from" | "to" | "cutting">;

/** Outside the open cells alpha is 0 or 1, from the nearest cell. `to` is zeroed. */
function copyOpaque(tile: Rectangle, { from, to, cutting: { matte, cells } }: CopyInputs): void {
  const { channels } = from;
  for (const [y, runs] of pixelRuns(cells.inside, { matte, part: tile }).entries()) {
    const source = indexOf(from, tile.left, tile.top + y);
    const target = indexOf(to, tile.left, tile.top + y);
    for (const run of runs)
      to.samples.set(
        from.samples.subarray(source + run.from * channels, source + run.to * channels),
        target + run.from * channels,
      );
  }
}

const indexOf = ({ width, channels, top }: Rows, x: number, y: number) => ((y - top) * width + x) * channels;

/** The bounding box, within the tile, of all pixels that open cells influence. */
export function openBox(
  tile: Rectangle,
  { matte: { region, width, height }, outline: { reach } }: CutInputs,
): Rectangle | undefined {
  const [cellWidth, cellHeight] = [region.width / width, region.height / height];
  // The interpolation kernel reads two cells on each side.
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

function grow({ left, top, width, height }: Rectangle, { by, rows }: { by: number; rows: Rows }): Rectangle {
  const bottomMost = rows.top + rows.samples.length / (rows.width * rows.channels);
  // Aligned to the whole picture's lattice: neighbouring tiles then sum colours over the same squares.
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

/** Greyscale is replicated into three planes. */
function planesAt(part: Rectangle, { from, scratch }: { from: Rows; scratch: Scratch }): ColourPlanes {
  const area = part.width * part.height;
  const planes = planeOf(scratch, "colour", 3 * area);
  const factor = 1 / fullScale(from.samples);
  const [green, blue] = from.channels === 4 ? [1, 2] : [0, 0];
  for (let y = 0, i = 0; y < part.height; y += 1)
    for (let x = 0, at = indexOf(from, part.left, part.top + y); x < part.width; x += 1, i += 1, at += from.channels) {
      planes[i] = (from.samples[at] as number) * factor;
      planes[area + i] = (from.samples[at + green] as number) * factor;
      planes[2 * area + i] = (from.samples[at + blue] as number) * factor;
    }
  return planes;
}

type RefineInputs = Pick<TileContext, "cutting" | "around"> & {
  colour: ColourPlanes;
  band: EdgeBand;
  scratch: Scratch;
};

function alphaAt(part: Rectangle, { colour, band, cutting, around, scratch }: RefineInputs): Float32Array {
  const { matte, cells, profile } = cutting;
  const alpha = planeOf(scratch, "alpha", part.width * part.height).fill(0);
  for (const [y, runs] of pixelRuns(cells.inside, { matte, part }).entries())
    for (const { from, to } of runs) alpha.fill(1, y * part.width + from, y * part.width + to);
  refineAlpha(alpha, { size: part, colour, band, cellPx: cellPx(matte), carryPx: around, scratch }, profile);
  // Invisible alpha costs bytes, and nearly opaque alpha makes solid areas translucent.
  for (let k = 0; k < band.pixels.length; k += 1) {
    const i = band.pixels[k] as number;
    alpha[i] = Math.min(1, Math.max(0, ((alpha[i] as number) - 0.01) / 0.98));
  }
  return alpha;
}

/** Over an area that the network leaves undecided nothing separates foreground from background: colours are kept. */
function keepColoursOfAreas(foreground: ColourPlanes, colour: ColourPlanes, { pixels, softness }: EdgeBand): void {
  const area = colour.length / 3;
  for (let k = 0; k < pixels.length; k += 1) {
    const undecided = Math.min(1, Math.max(0, -2 * (softness[k] as number)));
    if (undecided === 0) continue;
    for (let at = pixels[k] as number; at < 3 * area; at += area)
      foreground[at] = (foreground[at] as number) * (1 - undecided) + (colour[at] as number) * undecided;
  }
}

type CutPart = { from: Rows; to: Rows; part: Rectangle; band: EdgeBand; alpha: Float32Array; foreground: ColourPlanes };

function putCut(open: Rectangle, { from, to, part, band, alpha, foreground }: CutPart): void {
  const { channels } = from;
  const area = part.width * part.height;
  const most = fullScale(from.samples);
  const [left, top] = [open.left - part.left, open.top - part.top];
  for (let k = 0; k < band.pixels.length; k += 1) {
    const i = band.pixels[k] as number;
    const x = i % part.width;
    const y = (i - x) / part.width;
    if (x < left || x >= left + open.width || y < top || y >= top + open.height) continue;
    const source = indexOf(from, part.left + x, part.top + y);
    const target = indexOf(to, part.left + x, part.top + y);
    const value = alpha[i] as number;
    const isSeen = value > 0 || hasVisibleNeighbour(alpha, i, part);
    to.samples[target + channels - 1] = Math.round(value * (from.samples[source + channels - 1] as number));
    for (let c = 0; c < channels - 1; c += 1)
      to.samples[target + c] =
        value >= 1
          ? (from.samples[source + c] as number)
          : isSeen
            ? Math.round((foreground[c * area + i] as number) * most)
            : 0;
  }
}

/** Next to visible pixels the foreground colour is extended by one pixel, because resampling mixes it in. */
function hasVisibleNeighbour(alpha: Float32Array, i: number, { width, height }: Rectangle): boolean {
  const x = i % width;
  return (
    (x > 0 && (alpha[i - 1] as number) > 0) ||
    (x + 1 < width && (alpha[i + 1] as number) > 0) ||
    (i >= width && (alpha[i - width] as number) > 0) ||
    (i + width < width * height && (alpha[i + width] as number) > 0)
  );
}

/** A row of tiles, in memory shared between threads. */
export type TileRow = TileContext & {
  tiles: Rectangle[];
  /** The number of tiles taken, incremented atomically. */
  taken: Int32Array;
};

export const nextTile = ({ tiles, taken }: TileRow): Rectangle | undefined => tiles[Atomics.add(taken, 0, 1)];

/** Marks every tile as taken. */
export const stopTileRow = ({ tiles, taken }: TileRow): void => {
  Atomics.store(taken, 0, tiles.length);
};

/** The share of tiles taken, 0..1. */
export const shareTaken = ({ tiles, taken }: TileRow): number => Math.min(1, Atomics.load(taken, 0) / tiles.length);
