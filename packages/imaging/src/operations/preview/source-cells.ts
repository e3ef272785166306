import type { Size } from "@tintype/codecs/raster";
import type { SourceRegion } from "../../task.ts";

/** The cells of the grid over a source that a region touches, in raster order: `1` for each of those, `0` for the others. */
export function sourceCells({ picture, ...region }: SourceRegion): string {
  const grid = gridOver(picture);
  const { across, down } = spanOf({ picture, ...region });
  const isTouched = (index: number, { first, last }: Span) => index >= first && index <= last;
  return Array.from({ length: grid.across * grid.down }, (_, cell) =>
    isTouched(cell % grid.across, across) && isTouched(Math.floor(cell / grid.across), down) ? "1" : "0",
  ).join("");
}

/** How many cells of a picture may be seen for free: half of them. A picture of one pixel has only one. */
export const freeCells = (cells: number): number => Math.max(1, Math.floor(cells / 2));

/** Whether a region touches no more cells than may be seen for free. */
export function isFreelySeen(region: SourceRegion): boolean {
  const grid = gridOver(region.picture);
  const { across, down } = spanOf(region);
  return lengthOf(across) * lengthOf(down) <= freeCells(grid.across * grid.down);
}

/** Cells of a grid are equal, so that half of them are half of the picture: of at most 256 px, and at least 32 each way. */
const maxCellPx = 256;
const minAcross = 32;
const cellsAlong = (px: number): number => Math.max(Math.min(px, minAcross), Math.ceil(px / maxCellPx));
const gridOver = ({ width, height }: Size) => ({ across: cellsAlong(width), down: cellsAlong(height) });

type Span = { first: number; last: number };
const lengthOf = ({ first, last }: Span): number => last - first + 1;

function spanOf({ left, top, width, height, picture }: SourceRegion): { across: Span; down: Span } {
  const along = (from: number, length: number, whole: number): Span => {
    const cells = cellsAlong(whole);
    return { first: Math.floor((from * cells) / whole), last: Math.ceil(((from + length) * cells) / whole) - 1 };
  };
  return { across: along(left, width, picture.width), down: along(top, height, picture.height) };
}
