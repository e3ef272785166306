import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { convert } from "../../operations/convert.ts";
import { psdFile } from "../../testing/psd-file.ts";
import { runOperation, testLimits } from "../../testing/run-operation.ts";
import { openInputFile } from "../input-file.ts";
import { openSource } from "../open-source.ts";
import { readParts } from "../read-parts.ts";
import { readPsdBlocks } from "./blocks.ts";
import { stripPsd } from "./metadata.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "psd-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(bytes: Uint8Array) {
  const path = join(folder, "picture.psd");
  await writeFile(path, bytes);
  return path;
}
const open = async (bytes: Uint8Array, megapixelsIn = 25) =>
  openSource(await write(bytes), { ...testLimits, megapixelsIn });

/** The first pixel as 8 bits in sRGB, with alpha. */
async function firstPixel(bytes: Uint8Array): Promise<number[]> {
  const source = await open(bytes);
  const data = await source.read({ colour: "srgb" }).toColourspace("srgb").ensureAlpha().raw().toBuffer();
  return [...data.subarray(0, 4)];
}

const [width, height] = [3, 2];
const plane = (...values: number[]) =>
  Uint8Array.from({ length: width * height }, (_, i) => values[i] ?? values[0] ?? 0);
const words = (value: number) =>
  Uint8Array.from(Array.from({ length: width * height }, () => [value >> 8, value & 255]).flat());
const rgb = [plane(200, 1, 2, 3, 4, 5), plane(100), plane(50)];
const base = { width, height };

test("RGB is read plain and by PackBits, of a PSD and of a PSB", async () => {
  for (const isPacked of [false, true])
    for (const isBig of [false, true]) {
      const bytes = psdFile({ ...base, mode: 3, planes: rgb, isPacked, isBig });
      const source = await open(bytes);
      expect(source).toMatchObject({ format: "psd", width, height, hasAlpha: false, depth: 8, notes: [] });
      const data = await source.read().raw().toBuffer();
      expect([...data.filter((_, i) => i % 3 === 0)]).toEqual([200, 1, 2, 3, 4, 5]);
      expect(await firstPixel(bytes)).toEqual([200, 100, 50, 255]);
    }
});

test("the merged picture's transparency is alpha, and white is taken out of its colours", async () => {
  // Red at an alpha of one half, on white.
  const planes = [plane(255), plane(127), plane(127), plane(128)];
  for (const isBig of [false, true])
    expect(await firstPixel(psdFile({ ...base, mode: 3, planes, layers: -2, isBig }))).toEqual([255, 0, 0, 128]);
});

test("a saved selection is no transparency", async () => {
  const planes = [...rgb, plane(0)];
  expect(await firstPixel(psdFile({ ...base, mode: 3, planes, layers: 2 }))).toEqual([200, 100, 50, 255]);
  expect(await firstPixel(psdFile({ ...base, mode: 3, planes }))).toEqual([200, 100, 50, 255]);
});

test("16 bits stay, and are named where a target does not hold them", async () => {
  const bytes = psdFile({ ...base, mode: 3, depth: 16, planes: [words(51_234), words(1000), words(3)] });
  const source = await open(bytes);
  expect(source.depth).toBe(16);
  const raw = await source.read().raw({ depth: "ushort" }).toBuffer();
  expect([0, 2, 4].map((at) => raw.readUInt16LE(at))).toEqual([51_234, 1000, 3]);
  const { outcome } = await runOperation(convert, { bytes, options: { target_format: "webp" } });
  expect(outcome).toMatchObject({ notes: [{ code: "depth-lost", format: "webp" }] });
});

test("grey, indexed colours, a bitmap and a duotone are read", async () => {
  expect(await open(psdFile({ ...base, mode: 1, planes: [plane(77)] }))).toMatchObject({ isGrey: true });
  expect(await firstPixel(psdFile({ ...base, mode: 1, planes: [plane(77)] }))).toEqual([77, 77, 77, 255]);
  const palette = new Uint8Array(768);
  palette.set([9], 5);
  palette.set([8], 256 + 5);
  palette.set([7], 512 + 5);
  const indexed = { ...base, mode: 2, palette, planes: [plane(5)] };
  expect(await firstPixel(psdFile(indexed))).toEqual([9, 8, 7, 255]);
  expect(await firstPixel(psdFile({ ...indexed, resources: [[1047, Uint8Array.of(0, 5)]] }))).toEqual([9, 8, 7, 0]);
  const bits = Uint8Array.of(0b0110_0000, 0);
  expect(await firstPixel(psdFile({ ...base, mode: 0, depth: 1, planes: [bits] }))).toEqual([255, 255, 255, 255]);
  const duotone = psdFile({ ...base, mode: 8, palette: new Uint8Array(40), planes: [plane(99)] });
  expect(await firstPixel(duotone)).toEqual([99, 99, 99, 255]);
  expect((await open(duotone)).notes).toEqual([{ code: "duotone-read-as-grey" }]);
});

test("CMYK becomes sRGB, and Lab too", async () => {
  // 255 is no ink.
  const white = [plane(255), plane(255), plane(255), plane(255)];
  for (const value of (await firstPixel(psdFile({ ...base, mode: 4, planes: white }))).slice(0, 3))
    expect(value).toBeGreaterThan(250);
  const cyan = psdFile({ ...base, mode: 4, planes: [plane(0), plane(255), plane(255), plane(255)] });
  const [red = 255, , blue = 0] = await firstPixel(cyan);
  expect(red).toBeLessThan(60);
  expect(blue).toBeGreaterThan(180);
  expect((await open(cyan)).notes).toEqual([{ code: "cmyk-converted" }]);
  const lab = psdFile({ ...base, mode: 9, planes: [plane(255), plane(128), plane(128)] });
  for (const value of await firstPixel(lab)) expect(value).toBeGreaterThan(252);
  expect((await open(lab)).notes).toEqual([{ code: "lab-converted" }]);
  // Neutral grey at half alpha, on white.
  const soft = psdFile({ ...base, mode: 9, planes: [plane(190), plane(128), plane(128), plane(128)], layers: -1 });
  const [r = 0, g = 0, b = 0, alpha] = await firstPixel(soft);
  expect(alpha).toBe(128);
  expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(4);
});

test("the profile is read", async () => {
  const p3 = await sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const profile = (await sharp(p3).metadata()).icc ?? Buffer.of();
  const source = await open(psdFile({ ...base, mode: 3, planes: rgb, resources: [[1039, profile]] }));
  expect(source.hasProfile).toBe(true);
  expect(
    (
      await source
        .read()
        .png()
        .toBuffer()
        .then((png) => sharp(png).metadata())
    ).icc,
  ).toEqual(profile);
});

test.each([
  ["spot colours", { mode: 7 }],
  [
    "the spot colour “Gold”",
    {
      mode: 3,
      planes: [...rgb, new Uint8Array(width * height)],
      resources: [
        [1006, Buffer.from("\x04Gold")],
        [1077, Buffer.concat([Buffer.of(0, 0, 0, 1), Buffer.alloc(12), Buffer.of(2)])],
      ] as [number, Uint8Array][],
    },
  ],
  ["32 bits", { mode: 3, depth: 32, planes: rgb.map(() => new Uint8Array(width * height * 4)) }],
  [
    "no merged image",
    { mode: 3, resources: [[1057, Uint8Array.of(0, 0, 0, 1, 0)] as [number, Uint8Array]], layers: 2 },
  ],
])("one with %s is refused by name", async (words, change) => {
  await expect(open(psdFile({ ...base, planes: rgb, ...change }))).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining(words),
  });
});

test("pixels are counted before they are decoded", async () => {
  const bytes = psdFile({ ...base, mode: 3, planes: rgb });
  bytes.writeUInt32BE(30_000, 14);
  bytes.writeUInt32BE(30_000, 18);
  await expect(open(bytes)).rejects.toMatchObject({ code: "too-many-pixels" });
});

test.each([20, 30, 40, 50])("one that is cut off at %i bytes is broken", async (length) => {
  for (const isPacked of [false, true]) {
    const bytes = psdFile({ ...base, mode: 3, planes: rgb, isPacked });
    await expect(open(bytes.subarray(0, Math.min(length, bytes.length - 1)))).rejects.toMatchObject({
      code: "broken-image",
    });
  }
});

test("a row that unpacks to too little is broken", async () => {
  const bytes = psdFile({ ...base, mode: 1, planes: [plane(9)], isPacked: true });
  bytes[bytes.length - 2] = 0; // a single byte in place of a run of three
  await expect(open(bytes)).rejects.toMatchObject({ code: "broken-image" });
});

test("metadata is found, and goes with the layers; what the pixels depend on stays", async () => {
  const secrets: [number, Uint8Array][] = [
    [1028, Buffer.from("iptc")],
    [1058, Buffer.from("exif!")],
    [1060, Buffer.from("<x:xmpmeta/>")],
    [1036, Buffer.from("thumbnail")],
  ];
  for (const isBig of [false, true]) {
    const planes = [plane(255), plane(127), plane(127), plane(128)];
    const bytes = psdFile({ ...base, mode: 3, planes, layers: -2, isBig, resources: secrets });
    expect(readPsdBlocks(bytes)).toEqual({
      iptc: Buffer.from("iptc"),
      exif: Buffer.from("exif!"),
      xmp: Buffer.from("<x:xmpmeta/>"),
    });
    expect([...(await readParts(await openInputFile(await write(bytes)))).keys()]).toEqual(["layers"]);
    const stripped = stripPsd(bytes).bytes;
    expect(readPsdBlocks(stripped)).toEqual({});
    expect(Buffer.from(stripped).includes("thumbnail")).toBe(false);
    expect([...(await readParts(await openInputFile(await write(stripped)))).keys()]).toEqual([]);
    expect(await firstPixel(stripped)).toEqual([255, 0, 0, 128]);
  }
});

test("a saved selection is no spot colour", async () => {
  const selection = Buffer.concat([Buffer.of(0, 0, 0, 1), Buffer.alloc(12), Buffer.of(0)]);
  const planes = [...rgb, new Uint8Array(width * height)];
  const file = psdFile({ ...base, mode: 3, planes, resources: [[1077, selection]] });
  expect(await open(file)).toMatchObject({ format: "psd", hasAlpha: false });
});
