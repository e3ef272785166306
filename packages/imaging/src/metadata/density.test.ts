import { expect, test } from "vitest";
import { box, uint } from "../formats/heif/boxes.ts";
import { densityInJp2 } from "../formats/jp2/blocks.ts";
import { littleTiffHead, writeDirectory } from "../raster/write-directory.ts";
import {
  densityEntries,
  densityInJfif,
  densityInPhys,
  densityInPsd,
  densityInTiff,
  exifDensity,
  jfifDensity,
  physOf,
} from "./density.ts";

const tiffOf = (density: Parameters<typeof densityEntries>[0]) =>
  Buffer.concat([
    littleTiffHead,
    writeDirectory(densityEntries(density), { at: littleTiffHead.length, isLittle: true, isBig: false }),
  ]);
const jfifOf = (density: Parameters<typeof jfifDensity>[0]) =>
  Buffer.from([...Buffer.from("JFIF\0"), 1, 1, ...jfifDensity(density), 0, 0]);

test.each([72, 96, 98, 144, 204, 300, 391, 600, 1200, 2400])("%i pixels per inch survive each format's unit", (x) => {
  const density = { x, y: 98 };
  expect(densityInPhys(physOf(density))).toEqual(density);
  expect(densityInJfif(jfifOf(density))).toEqual(density);
  expect(densityInTiff(tiffOf(density))).toEqual(density);
});

test("a density per centimetre stays one", () => {
  const density = { x: 118 * 2.54, y: 118 * 2.54 };
  expect([...jfifDensity(density)]).toEqual([2, 0, 118, 0, 118]);
  expect(densityInTiff(tiffOf(density))?.x).toBeCloseTo(density.x, 3);
});

test("the shape of a pixel without a unit is kept where the format has no unit either", () => {
  const density = { x: 2, y: 1, isRatio: true } as const;
  expect(densityInPhys(physOf(density))).toEqual(density);
  expect(densityInJfif(jfifOf(density))).toEqual(density);
  expect(densityInTiff(tiffOf(density))).toEqual(density);
  expect(exifDensity(density)).toEqual([]);
});

test("numbers that are no density are ignored", () => {
  expect(densityInPhys(Buffer.alloc(9))).toBeUndefined();
  expect(densityInJfif(jfifOf({ x: 1, y: 1, isRatio: true }))).toBeUndefined();
  expect(densityInTiff(Buffer.from("II*\0\xff\0\0\0", "latin1"))).toBeUndefined();
});

test("a Photoshop file states pixels per inch in 16.16", () => {
  const resource = Buffer.concat([
    uint(4, 300 * 65_536),
    Buffer.of(0, 2, 0, 1),
    uint(4, 150 * 65_536),
    Buffer.alloc(4),
  ]);
  expect(densityInPsd(resource)).toEqual({ x: 300, y: 150 });
});

test("a JPEG 2000 states pixels per metre, down before across", () => {
  const numbers = [uint(2, 3858), uint(2, 1), uint(2, 8031), uint(2, 1000), Buffer.of(0, 3)];
  const file = box("jp2h", box("res ", box("resd", ...numbers)));
  expect(densityInJp2(file)).toEqual({ x: 204, y: 98 });
});
