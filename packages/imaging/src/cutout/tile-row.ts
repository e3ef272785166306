import type { TileContext } from "./cut-tile.ts";
import type { Region } from "./matte.ts";

/** A row of tiles, in memory that threads have in common. */
export type TileRow = TileContext & {
  tiles: Region[];
  /** The number of tiles taken; taking one increments it. */
  taken: Int32Array;
};

/** The next free tile; undefined if none is left. */
export const nextTile = ({ tiles, taken }: TileRow): Region | undefined => tiles[Atomics.add(taken, 0, 1)];

/** Leaves none to be taken. */
export const stopTileRow = ({ tiles, taken }: TileRow): void => {
  Atomics.store(taken, 0, tiles.length);
};

/** 0..1 */
export const shareTaken = ({ tiles, taken }: TileRow): number => Math.min(1, Atomics.load(taken, 0) / tiles.length);
