import type { Rectangle } from "../../raster/raster.ts";
import { lumaOf } from "./colour-distance.ts";

/** Activities are below this. */
export const activityLevels = 64;

/**
 * The activity around each pixel of `rectangle`: the mean difference of luma to its four neighbours, in steps of
 * 0..255, cut at the top level. [width * height]. Beyond the canvas its border pixels continue.
 */
export function measureActivity(
  pixels: Uint32Array,
  canvas: { canvasWidth: number; canvasHeight: number },
  { left, top, width, height }: Rectangle,
): Uint8Array {
  const { canvasWidth, canvasHeight } = canvas;
  const activity = new Uint8Array(width * height);
  // Lumas of a row, with one pixel more at each side.
  const readRow = (y: number, row: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> => {
    const start = Math.min(Math.max(y, 0), canvasHeight - 1) * canvasWidth;
    for (let column = -1; column <= width; column++)
      row[column + 1] = lumaOf(pixels[start + Math.min(Math.max(left + column, 0), canvasWidth - 1)] as number);
    return row;
  };
  let above = readRow(top - 1, new Float32Array(width + 2));
  let here = readRow(top, new Float32Array(width + 2));
  let below = new Float32Array(width + 2);
  for (let row = 0; row < height; row++) {
    below = readRow(top + row + 1, below);
    for (let x = 1, at = row * width; x <= width; x++, at++) {
      const luma = here[x] as number;
      const difference =
        Math.abs(luma - (here[x - 1] as number)) +
        Math.abs(luma - (here[x + 1] as number)) +
        Math.abs(luma - (above[x] as number)) +
        Math.abs(luma - (below[x] as number));
      activity[at] = Math.min(difference >> 2, activityLevels - 1);
    }
    [above, here, below] = [here, below, above];
  }
  return activity;
}
