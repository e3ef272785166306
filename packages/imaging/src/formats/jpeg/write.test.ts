import type { Raster } from "@tintype/codecs/raster";
import sharp from "sharp";
import { expect, test } from "vitest";
import { asDecodedPicture } from "../../raster/decoded-picture.ts";
import { encodeJpeg } from "./write.ts";

const [width, height] = [64, 48];
const value = (x: number, y: number, channel: number) =>
  Math.round(128 + 90 * Math.sin((x * (channel + 1) + y * y * 0.05) / 9));
const samples = (channels: number) =>
  Uint8Array.from({ length: width * height * channels }, (_, i) =>
    value(Math.floor(i / channels) % width, Math.floor(i / channels / width), i % channels),
  );

const encode = (raster: Raster, options: { minimizeBytes?: boolean } = {}) =>
  encodeJpeg(asDecodedPicture(raster).open(), { quality: 85, ...options }).then(({ bytes }) => bytes);

const shape = (channels: 1 | 3 | 4) => ({ width, height, channels });

test("conversions get the bytes that compress gets, of grey and of colour", async () => {
  for (const channels of [1, 3] as const) {
    const raster = { ...shape(channels), data: samples(channels) };
    expect(await encode(raster)).toEqual(await encode(raster, { minimizeBytes: true }));
    expect((await sharp(await encode(raster)).metadata()).channels).toBe(channels);
  }
});

test("16 bits a channel become 8", async () => {
  const data = samples(3);
  const deep = Uint16Array.from(data, (sample) => sample * 257);
  expect(await encode({ ...shape(3), data: deep })).toEqual(await encode({ ...shape(3), data }));
});

test("transparent areas become white", async () => {
  const data = samples(4).map((sample, i) => (i % 4 === 3 ? 0 : sample));
  const shown = await sharp(await encode({ ...shape(4), data }))
    .raw()
    .toBuffer();
  expect(Math.min(...shown)).toBeGreaterThan(250);
});

test("more pixels a side than libjpeg reads are refused with their number", async () => {
  const image = sharp({ create: { width: 65_501, height: 1, channels: 3, background: "red" } });
  await expect(encodeJpeg(image, { quality: 85 })).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("65,500"),
  });
});

test("an urgent picture is written in one scan", async () => {
  const image = asDecodedPicture({ ...shape(3), data: samples(3) }).open();
  const { bytes } = await encodeJpeg(image, { quality: 85, isUrgent: true });
  expect((await sharp(bytes).metadata()).isProgressive).toBe(false);
});
