import { colourDistance, placeColour } from "./colour-distance.ts";
import { createColourIndex } from "./colour-index.ts";
import type { GifPalette } from "./palette.ts";

/** The cost of mapping colours to those of one palette. Rows are computed on demand. */
export type ColourCosts = {
  palette: GifPalette;
  /** The row of an opaque packed colour. */
  rowOf(colour: number): number;
  rowCount(): number;
  /** All rows so far; views, invalidated by the next new row. */
  tables(): ColourTables;
};

export type ColourTables = {
  /** [row * 256 + index]: squared distance less that of the nearest colour; Infinity for the transparent index. */
  costs: Float32Array;
  /** [row * 256 + rank]: palette indices by distance, nearest first; `colourCount` ranks are filled. */
  nearest: Uint8Array;
  colourCount: number;
  /** By row: squared distance of the nearest colour, 0 if the palette has the colour itself. */
  floor: Float32Array;
  /** [index * 3]: see `placeColour`. */
  places: Float32Array;
};

export function createColourCosts(palette: GifPalette): ColourCosts {
  const { colours, transparentIndex } = palette;
  const rows = createColourIndex();
  const colourCount = colours.length - (transparentIndex < 0 ? 0 : 1);
  const keys = new Float64Array(colourCount);
  const places = new Float32Array(256 * 3);
  colours.forEach((colour, at) => {
    placeColour(colour, places, at * 3);
  });
  let capacity = 64;
  let costs = new Float32Array(capacity * 256);
  let nearest = new Uint8Array(capacity * 256);
  let floor = new Float32Array(capacity);
  let rowCount = 0;

  const grow = () => {
    capacity *= 2;
    const [larger, largerNearest] = [new Float32Array(capacity * 256), new Uint8Array(capacity * 256)];
    const largerFloor = new Float32Array(capacity);
    larger.set(costs);
    largerNearest.set(nearest);
    largerFloor.set(floor);
    [costs, nearest, floor] = [larger, largerNearest, largerFloor];
  };

  const fillRow = (row: number, colour: number) => {
    const start = row * 256;
    let count = 0;
    for (let index = 0; index < colours.length; index++) {
      if (index === transparentIndex) {
        costs[start + index] = Number.POSITIVE_INFINITY;
        continue;
      }
      const cost = colourDistance(colour, colours[index] as number);
      costs[start + index] = cost;
      // Sort key of distance and index; distances are below 2^17.
      keys[count++] = Math.round(cost * 64) * 256 + index;
    }
    keys.sort();
    for (let rank = 0; rank < count; rank++) nearest[start + rank] = (keys[rank] as number) % 256;
    const least = costs[start + (nearest[start] as number)] as number;
    for (let index = start; index < start + colours.length; index++) costs[index] = (costs[index] as number) - least;
    floor[row] = least;
  };

  return {
    palette,
    rowOf(colour) {
      const row = rows.add(colour);
      if (row === rowCount) {
        if (rowCount === capacity) grow();
        fillRow(rowCount++, colour);
      }
      return row;
    },
    rowCount: () => rowCount,
    tables: () => ({ costs, nearest, colourCount, floor, places }),
  };
}
