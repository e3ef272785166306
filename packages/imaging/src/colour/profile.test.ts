import { profileOf } from "@tintype/codecs/colour";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openRaster } from "../formats/open-raster.ts";

/** Colours throughout the RGB cube, greys included. */
const data = Uint8Array.from(
  Array.from({ length: 216 }, (_, i) => [i % 6, Math.floor(i / 6) % 6, Math.floor(i / 36)]).flat(),
  (step) => step * 51,
);
const inSrgb = (profile: Uint8Array) =>
  openRaster(
    { width: 216, height: 1, channels: 3, data, profile },
    { file: { path: "", sizeBytes: 0 }, format: "heic", notes: [] },
  )
    .read({ colour: "srgb" })
    .raw()
    .toBuffer();

test("the profile made for Display P3 is the one everybody uses", async () => {
  const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const expected = await inSrgb((await sharp(png).metadata()).icc ?? new Uint8Array());
  const made = await inSrgb(profileOf({ primaries: 12, transfer: 13 }) ?? new Uint8Array());
  expect(Math.max(...made.map((value, i) => Math.abs(value - (expected[i] ?? 0))))).toBeLessThanOrEqual(2); // theirs has table curves
});

test.each([
  ["PQ", 16, 0.5807], // 203 cd/m2, diffuse white
  ["HLG", 18, 0.75],
])("%s shows the white of paper below white, and brighter things above it", async (_, transfer, paper) => {
  const profile = profileOf({ primaries: 1, transfer }) ?? new Uint8Array();
  const shown = async (signal: number) => {
    const value = Math.round(signal * 255);
    const one = openRaster(
      { width: 1, height: 1, channels: 3, data: Uint8Array.of(value, value, value), profile },
      { file: { path: "", sizeBytes: 0 }, format: "heic", notes: [] },
    );
    return (await one.read({ colour: "srgb" }).raw().toBuffer())[0] ?? 0;
  };
  expect(await shown(0)).toBe(0);
  expect(await shown(paper)).toBeGreaterThan(225);
  expect(await shown(paper)).toBeLessThan(250);
  expect(await shown(1)).toBeGreaterThanOrEqual(254);
});

test("sRGB, and what is not said, needs no profile", () => {
  expect(profileOf({ primaries: 1, transfer: 13 })).toBeUndefined();
  expect(profileOf({ primaries: 2, transfer: 2 })).toBeUndefined();
});
