import sharp from "sharp";
import { expect, test } from "vitest";
import { tiffHead } from "./tiff-head.ts";

const spaces = { 1: ["b-w", "grey16"], 2: ["b-w", "grey16"], 3: ["srgb", "rgb16"], 4: ["srgb", "rgb16"] } as const;

test.each([
  [1, 8],
  [3, 8],
  [4, 8],
  [1, 16],
  [2, 16],
  [3, 16],
  [4, 16],
] as const)("%i channels of %i bits behind it are read as they were put", async (channels, depth) => {
  for (const [width, height] of [
    [1, 1],
    [7, 5],
    [700, 900], // several strips
  ] as const) {
    const pixels = Buffer.alloc((width * height * channels * depth) / 8).map((_, i) => (i * 7 + (i >> 8)) & 255);
    const file = Buffer.concat([tiffHead({ width, height, channels, depth }), pixels]);
    const { data, info } = await sharp(file)
      .toColourspace(spaces[channels][depth === 16 ? 1 : 0])
      .raw({ depth: depth === 16 ? "ushort" : "uchar" })
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([width, height, channels]);
    expect(Buffer.compare(data, pixels)).toBe(0);
  }
});

test("grey with alpha of 8 bits is read as it was put", async () => {
  const pixels = Buffer.from([0, 255, 90, 1, 200, 128, 17, 0]);
  const file = Buffer.concat([tiffHead({ width: 2, height: 2, channels: 2, depth: 8 }), pixels]);
  const { data, info } = await sharp(file).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(4); // sharp's raw grey has no alpha
  expect([...data.filter((_, i) => i % 4 === 0 || i % 4 === 3)]).toEqual([...pixels]);
});

test("the colour profile is carried", async () => {
  const p3 = await sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const profile = (await sharp(p3).metadata()).icc;
  const head = tiffHead({ width: 3, height: 1, channels: 3, depth: 8, profile });
  const { icc } = await sharp(Buffer.concat([head, Buffer.alloc(9)])).metadata();
  expect(icc?.equals(profile ?? Buffer.of())).toBe(true);
});
