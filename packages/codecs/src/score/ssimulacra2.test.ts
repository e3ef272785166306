import { expect, test } from "vitest";
import type { Raster } from "../raster/raster.ts";
import { draw, drawLogo, drawPhoto, drawScreen, randomNumbers } from "../testing/drawn-pictures.ts";
import { ssimulacra2 } from "./ssimulacra2.ts";

const size = { width: 160, height: 120 };
const changed = (picture: Raster<Uint8Array>, change: (value: number, i: number) => number): Raster<Uint8Array> => ({
  ...picture,
  data: picture.data.map((value, i) => Math.max(0, Math.min(255, Math.round(change(value, i))))),
});
const noisy = (picture: Raster<Uint8Array>, strength: number) => {
  const random = randomNumbers(3);
  return changed(picture, (value) => value + (random() - 0.5) * strength);
};
const coarse = (picture: Raster<Uint8Array>, step: number) =>
  changed(picture, (value) => Math.round(value / step) * step);
/** Each pixel of a block takes the colour of the block's first pixel. */
const blocky = ({ width, height, channels, data }: Raster<Uint8Array>, side: number) =>
  draw({ width, height }, channels, (x, y) => {
    const at = ((y - (y % side)) * width + x - (x % side)) * channels;
    return [...data.subarray(at, at + channels)];
  });

// Scores of the reference program (cloudinary/ssimulacra2, version 2.1) for the same pictures.
test.each<[string, Raster<Uint8Array>, Raster<Uint8Array>, number]>([
  ["a photograph with noise", drawPhoto(size), noisy(drawPhoto(size), 30), 56.141],
  ["a photograph in few colours", drawPhoto(size), coarse(drawPhoto(size), 12), 81.879],
  ["a photograph in blocks", drawPhoto(size), blocky(drawPhoto(size), 3), 23.321],
  ["an odd size", drawPhoto({ width: 91, height: 67 }), noisy(drawPhoto({ width: 91, height: 67 }), 40), 18.706],
  ["an interface with noise", drawScreen(size), noisy(drawScreen(size), 30), 71.638],
  ["alpha, over dark and over light", drawLogo(size), coarse(drawLogo(size), 24), 42.017],
])("the score is the reference program's: %s", (_, reference, distorted, score) => {
  expect(Math.abs(ssimulacra2(reference, distorted) - score)).toBeLessThan(0.05);
});

test("the same picture scores 100", () => {
  expect(ssimulacra2(drawPhoto(size), drawPhoto(size))).toBe(100);
});

test("grey counts as colour of three equal channels", () => {
  const grey = draw(size, 1, (x, y) => [(x * 3 + y * 2) % 256]);
  const colour = draw(size, 3, (x, y) => Array.from({ length: 3 }, () => (x * 3 + y * 2) % 256));
  const [bad, badColour] = [blocky(grey, 2), blocky(colour, 2)];
  expect(ssimulacra2(grey, bad)).toBe(ssimulacra2(colour, badColour));
});

test("pictures of two sizes are refused", () => {
  expect(() => ssimulacra2(drawPhoto(size), drawPhoto({ width: 160, height: 121 }))).toThrow(RangeError);
});
