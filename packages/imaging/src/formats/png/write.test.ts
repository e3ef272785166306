import type { Channels } from "@tintype/codecs/raster";
import sharp from "sharp";
import { expect, test } from "vitest";
import { draw, drawPhoto } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { pngCandidates } from "./candidates.ts";
import { pngChunks } from "./container.ts";
import { encodePng } from "./write.ts";

const size = { width: 200, height: 150 };
const photo = drawPhoto(size);
const sampleOf = (x: number, y: number, channel: number) => photo.data[(y * 200 + x) * 3 + channel] ?? 0;
const [grey, opaque, clear] = [
  (x: number, y: number) => [0, 0, 0].fill(sampleOf(x, y, 1)).concat(x > 100 ? 255 : 80 + y),
  (x: number, y: number) => [0, 1, 2].map((channel) => sampleOf(x, y, channel)).concat(255),
  (x: number, y: number) => [0, 1, 2].map((channel) => sampleOf(x, y, channel)).concat(x > 100 ? 255 : 90),
];

/** The offset of the colour type in IHDR, from the start of the file. */
const colourTypeAt = 25;

test.each<[string, Channels, (x: number, y: number) => number[], number]>([
  ["no colour is stored as grey", 4, grey, 2],
  ["an alpha that is full everywhere is stored without it", 4, opaque, 3],
  ["alpha keeps it", 4, clear, 4],
])("a photograph with %s", async (_, channels, at, kept) => {
  const { data } = draw(size, channels, at);
  const { bytes } = await encodePng(sharp(data, { raw: { ...size, channels } }), { quality: 70, minimizeBytes: true });
  expect(await sharp(bytes).metadata()).toMatchObject({ ...size, channels: kept });
});

test("at 100 a large drawing of 300 colours loses nothing, also those that are there once", async () => {
  const large = { width: 2000, height: 1600 };
  const { data } = draw(large, 3, (x, y) => (y === 801 && x < 300 ? [x >> 1, x & 1, 9] : [255, 255, (y >> 8) * 20]));
  const { bytes } = await encodePng(sharp(data, { raw: { ...large, channels: 3 } }), {
    quality: 100,
    minimizeBytes: true,
  });
  expect((await sharp(bytes).raw().toBuffer()).equals(data)).toBe(true);
});

test("a palette begins with the colour at the picture's edge, then has those with alpha, and none that no pixel has", async () => {
  const disc = { width: 120, height: 100 };
  const { data } = draw(disc, 4, (x, y) => {
    const distance = Math.hypot(x - 60, y - 50);
    if (distance > 40) return [255, 250, 240, 255];
    return distance > 30 ? [20, 90, 160, 120] : [200, 40 + (x >> 3), 30, 255];
  });
  const { bytes } = await encodePng(sharp(data, { raw: { ...disc, channels: 4 } }), {
    quality: 100,
    minimizeBytes: true,
  });
  const chunks = new Map([...pngChunks(bytes)].map(({ type, data }) => [type, data]));
  const shown = new Set(
    Array.from({ length: 120 * 100 }, (_, pixel) => new DataView(data.buffer).getUint32(pixel * 4)),
  );
  expect(chunks.get("PLTE")?.subarray(0, 6)).toEqual(Buffer.from([255, 250, 240, 20, 90, 160]));
  expect(chunks.get("PLTE")?.length).toBe(shown.size * 3);
  expect(chunks.get("tRNS")).toEqual(Buffer.from([255, 120]));
  expect((await sharp(bytes).raw().toBuffer()).equals(data)).toBe(true);
});

test("grey with a profile of its own is stored as grey: a palette's colours are RGB", () => {
  const plate = draw(size, 1, (x, y) => [(x >> 4) * 10 + (y >> 5)]);
  const kinds = (profile?: Uint8Array) =>
    pngCandidates({ ...plate, profile }, { target: 60, isDrawn: true }).map(({ quickly }) => quickly()[colourTypeAt]);
  expect(kinds()).toContain(3);
  expect(kinds(new Uint8Array(128))).toEqual([0]);
});
