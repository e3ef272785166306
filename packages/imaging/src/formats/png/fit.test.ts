import { beforeAll, expect, test } from "vitest";
import { draw, drawPhoto } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { asDecodedPicture } from "../../raster/decoded-picture.ts";
import { casesOfRun } from "../../testing/deep.ts";
import { fitPng } from "./fit.ts";
import { encodePng } from "./write.ts";

const picture = asDecodedPicture(drawPhoto({ width: 320, height: 240 }));
const encoded = async (quality: number) =>
  (await encodePng(picture.open(), { quality, minimizeBytes: true })).bytes.length;
const range = { minQuality: 10, bestQuality: 100 };
let usual = 0;
beforeAll(async () => {
  usual = await encoded(90);
});

test("fewer bytes give a lower quality, and nearly all of them are used", async () => {
  const qualities: number[] = [];
  for (const share of casesOfRun([0.5, 0.65, 0.8, 0.9, 0.95, 0.98])) {
    const maxBytes = Math.round(usual * share);
    const { best } = await fitPng(picture, { ...range, maxBytes });
    expect(best?.bytes.length).toBeLessThanOrEqual(maxBytes);
    expect((best?.bytes.length ?? 0) / maxBytes).toBeGreaterThan(0.95);
    qualities.push(best?.quality ?? 0);
  }
  expect(qualities).toEqual(qualities.toSorted((a, b) => a - b));
  expect(new Set(qualities).size).toBe(qualities.length);
});

test("no more bytes are taken than the best quality that is wanted takes", async () => {
  const { best } = await fitPng(picture, { minQuality: 10, bestQuality: 70, maxBytes: usual });
  expect(best).toMatchObject({ quality: 70 });
  expect(best?.bytes.length).toBe(await encoded(70));
});

test("nothing is lost if that fits", async () => {
  const lossless = await encoded(100);
  expect((await fitPng(picture, { ...range, maxBytes: lossless })).best?.bytes.length).toBe(lossless);
});

test("the lowest quality is reached to the byte, and half of its bytes are refused", async () => {
  const least = await encoded(60);
  const within = (maxBytes: number) => fitPng(picture, { minQuality: 60, bestQuality: 100, maxBytes });
  expect((await within(least)).best?.bytes.length).toBeLessThanOrEqual(least);
  const { best, smallestBytes } = await within(Math.round(least / 2));
  expect(best).toBeUndefined();
  expect(smallestBytes).toBe(least);
});

test("a drawing gets as good a quality as any whole one that fits, and is left as it was", async () => {
  // Flat squares in 720 colours.
  const screen = asDecodedPicture(
    draw({ width: 360, height: 288 }, 3, (x, y) => {
      const [column, row] = [Math.floor(x / 12), Math.floor(y / 12)];
      return [column * 8, row * 10, ((column * 7 + row * 13) % 17) * 12];
    }),
  );
  const before = screen.data.slice();
  const bytesAt = async (quality: number) =>
    (await encodePng(screen.open(), { quality, minimizeBytes: true })).bytes.length;
  const sizes = new Map<number, number>();
  for (const quality of [20, 40, 60, 80, 95]) sizes.set(quality, await bytesAt(quality));
  for (const bytes of casesOfRun([...sizes.values()])) {
    const maxBytes = Math.ceil(bytes * 1.03);
    const { best } = await fitPng(screen, { ...range, maxBytes });
    const fitting = [...sizes].filter(([, bytes]) => bytes <= maxBytes).map(([quality]) => quality);
    expect(best?.bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(best?.quality).toBeGreaterThanOrEqual(Math.max(...fitting) - 5);
  }
  expect(Buffer.compare(screen.data, before)).toBe(0);
});

test("16 bits stay where they fit, else the loss of the others is named", async () => {
  const { width, height, channels, data } = drawPhoto({ width: 200, height: 150 });
  const deep = asDecodedPicture({
    width,
    height,
    channels,
    profile: undefined,
    data: Uint16Array.from(data, (value, i) => value * 257 + (i % 97)),
  });
  const whole = (await encodePng(deep.open(), { quality: 100, minimizeBytes: true })).bytes.length;
  expect((await fitPng(deep, { ...range, maxBytes: whole })).best).toMatchObject({ quality: 100, notes: [] });
  const { best } = await fitPng(deep, { ...range, maxBytes: Math.round(whole / 5) });
  expect(best?.quality).toBeLessThan(90);
  expect(best?.notes).toEqual([{ code: "depth-reduced-by-quality", below: 90 }]);
});
