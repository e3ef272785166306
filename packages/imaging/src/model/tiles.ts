/** Part of a picture, px. */
export type Rectangle = { left: number; top: number; width: number; height: number };

/**
 * `core` is what a tile gives to the whole; `around` is what it must see for that. It may reach out of the picture, and
 * who cuts it must say what is there, the same as where the picture is looked at whole.
 */
export type Tile = { core: Rectangle; around: Rectangle };

export type Tiling = {
  width: number;
  height: number;
  /** px on each side that one pixel of the result depends on. */
  reachPx: number;
  /** px beyond the picture's edges that are looked at, at most; the model's own borders begin there. All unless given. */
  edgePx?: number;
  /** Pixels of `around`, at most, as far as `reachPx` leaves room for it: a core has one pixel at least. */
  maxPixels: number;
};

/**
 * The tiles of a picture, row by row from the top left: cores meet without gap or overlap, and are as alike as whole
 * pixels let them be, so that no sliver is left over at the end. Where a model is run on every `around` and the middle
 * of the answer kept, the whole is what the model would give of the picture at once.
 */
export function layOutTiles({ width, height, reachPx, edgePx = reachPx, maxPixels }: Tiling): Tile[] {
  const seen = { left: -edgePx, top: -edgePx, width: width + 2 * edgePx, height: height + 2 * edgePx };
  const side = Math.max(1, Math.floor(Math.sqrt(maxPixels)) - 2 * reachPx);
  // What a narrow picture does not need of the width, its tiles may have in height, and the other way round.
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

/** How long a core may be whose other side is given. */
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

/** What two parts have in common. */
function within(a: Rectangle, b: Rectangle): Rectangle {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
  return {
    left,
    top,
    width: Math.min(a.left + a.width, b.left + b.width) - left,
    height: Math.min(a.top + a.height, b.top + b.height) - top,
  };
}
