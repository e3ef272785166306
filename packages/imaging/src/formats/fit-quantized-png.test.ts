import { beforeAll, expect, test } from "vitest";
import { asDecodedPicture } from "../raster/decoded-picture.ts";
import { drawPhoto } from "../testing/drawn-pictures.ts";
import { fitQuantizedPng } from "./fit-quantized-png.ts";
import { encodePng } from "./png/write.ts";

const picture = asDecodedPicture(drawPhoto({ width: 400, height: 300 }));
const encoded = async (quality: number) =>
  (await encodePng(picture.open(), { quality, minimizeBytes: true })).bytes.length;
const range = { minQuality: 10, bestQuality: 100 };
let usual = 0;
beforeAll(async () => {
  usual = await encoded(90);
});

test("fewer bytes give a lower quality, and nearly all of them are used", async () => {
  const qualities: number[] = [];
  for (const share of [0.5, 0.65, 0.8, 0.95]) {
    const maxBytes = Math.round(usual * share);
    const { best } = await fitQuantizedPng(picture, { ...range, maxBytes });
    expect(best?.bytes.length).toBeLessThanOrEqual(maxBytes);
    expect((best?.bytes.length ?? 0) / maxBytes).toBeGreaterThan(0.95);
    qualities.push(best?.quality ?? 0);
  }
  expect(qualities).toEqual(qualities.toSorted((a, b) => a - b));
  expect(new Set(qualities).size).toBe(qualities.length);
});

test("no more bytes are taken than the best quality that is wanted takes", async () => {
  const { best } = await fitQuantizedPng(picture, { minQuality: 10, bestQuality: 70, maxBytes: usual });
  expect(best).toMatchObject({ quality: 70 });
  expect(best?.bytes.length).toBe(await encoded(70));
});

test("nothing is lost if that fits", async () => {
  const lossless = await encoded(100);
  expect((await fitQuantizedPng(picture, { ...range, maxBytes: lossless })).best?.bytes.length).toBe(lossless);
});

test("the lowest quality is reached to the byte, and half of its bytes are refused", async () => {
  const least = await encoded(60);
  const within = (maxBytes: number) => fitQuantizedPng(picture, { minQuality: 60, bestQuality: 100, maxBytes });
  expect((await within(least)).best?.bytes.length).toBeLessThanOrEqual(least);
  const { best, smallestBytes } = await within(Math.round(least / 2));
  expect(best).toBeUndefined();
  expect(smallestBytes).toBe(least);
});
