import type { Rectangle } from "@tintype/codecs/raster";
import { widen, within } from "@tintype/codecs/raster";

/**
 * `core` is the tile's part of the result, `around` its input. `around` may extend beyond the picture: the caller then
 * pads it as the model pads its borders.
 */
export type Tile = { core: Rectangle; around: Rectangle };

export type TileOptions = {
  width: number;
  height: number;
  /** The radius of the receptive field, px: the margin that each side of a core needs. */
  reachPx: number;
  /**
   * The most padding, px, that tiles read beyond the picture's edges; the model's own padding starts there. Default:
   * all.
   */
  edgePx?: number;
  /** The most pixels of `around`, as far as `reachPx` permits: a core has at least one pixel. */
  maxPixels: number;
};

/**
 * The tiles of a picture in raster order: cores meet without gap or overlap and are as equal as whole pixels allow, so
 * the last one is no sliver. A model that runs on every `around`, with the core of each output kept, gives the same
 * result as one run over the whole picture.
 */
export function layOutTiles({ width, height, reachPx, edgePx = reachPx, maxPixels }: TileOptions): Tile[] {
  const seen = { left: -edgePx, top: -edgePx, width: width + 2 * edgePx, height: height + 2 * edgePx };
  const side = Math.max(1, Math.floor(Math.sqrt(maxPixels)) - 2 * reachPx);
  // Width that a narrow picture does not use becomes height of its tiles, and vice versa.
  const columns = cut(width, height < side ? coreFor({ other: height, reachPx, maxPixels }) : side);
  const widest = Math.max(...columns.map((column) => column.length));
  const rows = cut(height, coreFor({ other: widest, reachPx, maxPixels }));
  return rows.flatMap((row) =>
    columns.map((column) => {
      const core = { left: column.start, top: row.start, width: column.length, height: row.length };
      return { core, around: within(seen, widen(core, reachPx)) };
    }),
  );
}

type Share = { other: number; reachPx: number; maxPixels: number };

/** The length of a core, given its other side. */
const coreFor = ({ other, reachPx, maxPixels }: Share) =>
  Math.max(1, Math.floor(maxPixels / (other + 2 * reachPx)) - 2 * reachPx);

/** Divides a length into the fewest parts, equal to within one. */
function cut(length: number, longest: number): { start: number; length: number }[] {
  const count = Math.ceil(length / longest);
  const edge = (i: number) => Math.round((i * length) / count);
  return Array.from({ length: count }, (_, i) => ({ start: edge(i), length: edge(i + 1) - edge(i) }));
}
