import type { Rectangle } from "../raster/raster.ts";

/**
 * `core` is the tile's part of the result; `around` is its input. `around` may reach out of the picture: the caller
 * then fills those pixels as the model's borders do.
 */
export type Tile = { core: Rectangle; around: Rectangle };

export type Tiling = {
  width: number;
  height: number;
  /** px on each side that one pixel of the result depends on. */
  reachPx: number;
  /** px beyond the picture's edges that tiles read, at most; the model's own borders begin there. Default: all. */
  edgePx?: number;
  /** The most pixels of `around`, as far as `reachPx` permits: a core has one pixel at least. */
  maxPixels: number;
};

/**
 * The tiles of a picture, row by row from the top left: cores meet without gap or overlap, and are as equal as whole
 * pixels allow, which leaves no sliver at the end. A model that runs on every `around`, with the middle of each answer
 * kept, gives the result of one run over the whole picture.
 */
export function layOutTiles({ width, height, reachPx, edgePx = reachPx, maxPixels }: Tiling): Tile[] {
  const seen = { left: -edgePx, top: -edgePx, width: width + 2 * edgePx, height: height + 2 * edgePx };
  const side = Math.max(1, Math.floor(Math.sqrt(maxPixels)) - 2 * reachPx);
  // Width that a narrow picture does not use may go to the height of its tiles, and the reverse.
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

/** The length of a core whose other side is given. */
const coreFor = ({ other, reachPx, maxPixels }: Share) =>
  Math.max(1, Math.floor(maxPixels / (other + 2 * reachPx)) - 2 * reachPx);

/** A length in as few parts as fit, each as long as the next to within one. */
function cut(length: number, longest: number): { start: number; length: number }[] {
  const count = Math.ceil(length / longest);
  const edge = (i: number) => Math.round((i * length) / count);
  return Array.from({ length: count }, (_, i) => ({ start: edge(i), length: edge(i + 1) - edge(i) }));
}

const widen = ({ left, top, width, height }: Rectangle, by: number): Rectangle => ({
  left: left - by,
  top: top - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** The part that both have in common. */
function within(a: Rectangle, b: Rectangle): Rectangle {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
  return {
    left,
    top,
    width: Math.min(a.left + a.width, b.left + b.width) - left,
    height: Math.min(a.top + a.height, b.top + b.height) - top,
  };
}
