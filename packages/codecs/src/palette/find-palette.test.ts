import { expect, test } from "vitest";
import type { Size } from "../raster/raster.ts";
import { draw } from "../testing/drawn-pictures.ts";
import { applyPalette } from "./apply-palette.ts";
import { findPalette } from "./find-palette.ts";
import { colourHistogram } from "./histogram.ts";

const size = { width: 300, height: 200 };
const magenta = [190, 0, 190];

/** A page of grey steps with a small mark in a colour of its own. */
const page = (sign: Size) =>
  draw(size, 3, (x, y) => {
    if (x >= 100 && x < 100 + sign.width && y >= 90 && y < 90 + sign.height) return magenta;
    return [0, 0, 0].fill(((x >> 2) % 16) * 17);
  });

function shownSign(sign: Size, count: number): number[] {
  const picture = page(sign);
  const { data } = applyPalette(picture, findPalette(colourHistogram(picture), count));
  return [...data.subarray((90 * size.width + 100) * 3).subarray(0, 3)];
}

test.each([2, 4, 8])("a sign of few pixels keeps its colour among %i others", (count) => {
  expect(shownSign({ width: 5, height: 4 }, count)).toEqual(magenta);
});

test("lines keep their grey where a sign brought a colour of another hue that is about as bright", () => {
  const [grey, pink] = [
    [200, 205, 215],
    [246, 195, 232],
  ];
  const picture = draw(size, 3, (x, y) => {
    if (y < 60) return [32, 60, 120];
    if (x < 8 && y > 190) return pink;
    return y % 40 === 0 ? grey : [250, 250, 252];
  });
  const { data } = applyPalette(picture, findPalette(colourHistogram(picture), 2));
  expect([...data.subarray(80 * size.width * 3).subarray(0, 3)]).toEqual(grey);
});

test("less than a dozen pixels do not add a colour, and a palette never has more than 256", () => {
  expect(shownSign({ width: 3, height: 3 }, 2)).not.toEqual(magenta);
  const colourful = draw(size, 3, (x, y) => [(x * 37) & 255, (y * 53) & 255, ((x ^ y) * 29) & 255]);
  expect(findPalette(colourHistogram(colourful), 250).colours.length / 4).toBeLessThanOrEqual(256);
});
