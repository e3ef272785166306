import { expect, test } from "vitest";
import { drawnSize, isSameShape, visibleSpan } from "./fit-box.ts";

const stage = { width: 800, height: 400 };

test("a large picture is made to fit, a small one is left as it is", () => {
  expect(drawnSize({ sides: { widthPx: 4000, heightPx: 1000 }, stage, zoom: "fit", density: 2 })).toEqual({
    width: 800,
    height: 200,
  });
  expect(drawnSize({ sides: { widthPx: 90, heightPx: 30 }, stage, zoom: "fit", density: 2 })).toEqual({
    width: 90,
    height: 30,
  });
});

test("1:1 is one pixel of the picture on one of the screen", () => {
  expect(drawnSize({ sides: { widthPx: 4000, heightPx: 1000 }, stage, zoom: 1, density: 2 })).toEqual({
    width: 2000,
    height: 500,
  });
});

test("the part in view is centred, or cut by the stage", () => {
  expect(visibleSpan(200, 400)).toEqual({ start: 100, length: 200 });
  expect(visibleSpan(900, 400)).toEqual({ start: 0, length: 400 });
});

test("shapes are the same up to rounding", () => {
  expect(isSameShape({ widthPx: 4032, heightPx: 3024 }, { widthPx: 400, heightPx: 300 })).toBe(true);
  expect(isSameShape({ widthPx: 333, heightPx: 250 }, { widthPx: 1332, heightPx: 1001 })).toBe(true);
  expect(isSameShape({ widthPx: 400, heightPx: 300 }, { widthPx: 300, heightPx: 300 })).toBe(false);
});
