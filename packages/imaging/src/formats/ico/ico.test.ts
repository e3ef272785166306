import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeIconBitmap, readIconEntries } from "@tintype/codecs/ico";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawPhoto } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { iconFile } from "../../../../codecs/src/testing/icon-file.ts";
import { compress } from "../../operations/compress.ts";
import { convert } from "../../operations/convert.ts";
import { resize } from "../../operations/resize.ts";
import { runOperation, testLimits } from "../../testing/run-operation.ts";
import { openSource } from "../open-source.ts";
import { stripIcon } from "./metadata.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "icon-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(bytes: Uint8Array, megapixelsIn = 25) {
  const path = join(folder, "icon.ico");
  await writeFile(path, bytes);
  return openSource(path, { ...testLimits, megapixelsIn });
}

/** RGBA, in sRGB. */
async function pixelsOf(bytes: Uint8Array): Promise<number[][]> {
  const source = await open(bytes);
  const data = await source.read({ colour: "srgb" }).toColourspace("srgb").ensureAlpha().raw().toBuffer();
  return Array.from({ length: data.length / 4 }, (_, i) => [...data.subarray(i * 4, i * 4 + 4)]);
}

const red = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: "red" } })
    .png()
    .toBuffer();
const toIcon = (bytes: Uint8Array, options = {}) =>
  runOperation(convert, { bytes, options: { target_format: "ico", ...options } });

// Two rows of two pixels, bottom-up.
const [blueGreen, redWhite] = [
  [255, 0, 0, 255, 0, 255, 0, 255],
  [0, 0, 255, 255, 255, 255, 255, 255],
];
const noMask = [0, 0, 0, 0, 0, 0, 0, 0];

test("32 bits have alpha of their own, and the mask has no say", async () => {
  const pixels = [...(blueGreen ?? []), 0, 0, 255, 128, 255, 255, 255, 0];
  const icon = iconFile({ width: 2, height: 2, pixels, mask: [0xff, 0, 0, 0, 0xff, 0, 0, 0] });
  expect(await pixelsOf(icon)).toEqual([
    [255, 0, 0, 128],
    [255, 255, 255, 0],
    [0, 0, 255, 255],
    [0, 255, 0, 255],
  ]);
});

test.each([
  ["24 bits", { bits: 24, pixels: [255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0] }],
  ["32 bits without alpha", { bits: 32, pixels: [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 255, 255, 255, 0] }],
  [
    "a palette",
    {
      bits: 4,
      palette: [[255, 0, 0], [255, 255, 255], [0, 0, 255], [0, 255, 0], ...Array(12).fill([0, 0, 0])],
      pixels: [0x23, 0, 0, 0, 0x01, 0, 0, 0],
    },
  ],
] as const)("the mask makes pixels of %s transparent", async (_, picture) => {
  const given = { ...picture, pixels: [...picture.pixels], palette: "palette" in picture ? [...picture.palette] : [] };
  const icon = iconFile({ width: 2, height: 2, ...given, mask: [0x40, 0, 0, 0, 0x80, 0, 0, 0] });
  expect(await pixelsOf(icon)).toEqual([
    [255, 0, 0, 0],
    [255, 255, 255, 255],
    [0, 0, 255, 255],
    [0, 255, 0, 0],
  ]);
});

test("the largest picture is read, as PNG or as BMP, and it is said", async () => {
  const small = { width: 2, height: 2, pixels: [...(blueGreen ?? []), ...(redWhite ?? [])], mask: noMask };
  const source = await open(iconFile(small, { width: 300, height: 300, png: await red(300) }, small));
  expect(source).toMatchObject({ format: "ico", width: 300, height: 300, pages: 3, hasAlpha: true });
  expect(source.notes).toEqual([{ code: "largest-icon-kept", images: 3 }]);
});

test("of two pictures of a size the one of more bits is read", async () => {
  const plain = {
    width: 2,
    height: 2,
    bits: 1 as const,
    palette: [
      [0, 0, 0],
      [255, 255, 255],
    ],
  };
  const coarse = { ...plain, pixels: [0, 0, 0, 0, 0, 0, 0, 0], mask: noMask };
  const fine = { width: 2, height: 2, pixels: [...(blueGreen ?? []), ...(redWhite ?? [])], mask: noMask };
  expect((await pixelsOf(iconFile(coarse, fine, coarse)))[0]).toEqual([255, 0, 0, 255]);
});

test.each([
  ["a picture past the end", (icon: Buffer) => icon.writeUInt32LE(icon.length, 18)],
  ["a size of zero", (icon: Buffer) => icon.writeInt32LE(0, 26)],
  ["a size below zero", (icon: Buffer) => icon.writeInt32LE(-2, 26)],
  ["a mask that is cut off", (icon: Buffer) => icon.writeUInt32LE(icon.readUInt32LE(14) - 5, 14)],
  ["a packing that no icon has", (icon: Buffer) => icon.writeUInt32LE(1, 38)],
  ["another header", (icon: Buffer) => icon.writeUInt32LE(12, 22)],
])("an icon with %s is broken", async (_, damage) => {
  const pixels = [255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0];
  const icon = iconFile({ width: 2, height: 2, bits: 24, pixels, mask: noMask });
  damage(icon);
  await expect(open(icon)).rejects.toMatchObject({ code: "broken-image" });
});

test("pixels are counted before they are decoded: those of one picture, and of all together", async () => {
  const huge = Buffer.from(await red(8));
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  await expect(open(iconFile({ width: 0, height: 0, png: huge }))).rejects.toMatchObject({ code: "too-many-pixels" });
  const one = { width: 0, height: 0, png: await red(1000) };
  await expect(open(iconFile(one, one, one), 2.5)).rejects.toMatchObject({ code: "too-many-pixels" });
  expect(await open(iconFile(one, one), 2.5)).toMatchObject({ width: 1000 });
});

test("an icon of more pictures than any has is refused by a sentence", async () => {
  const icon = iconFile({ width: 2, height: 2, pixels: new Uint8Array(5000), mask: noMask });
  icon.writeUInt16LE(300, 4);
  icon.writeUInt32LE(4900, 18);
  await expect(open(icon)).rejects.toMatchObject({ code: "cannot-process", detail: expect.stringContaining("300") });
});

test("convert makes an icon of the usual sizes, a square with the whole picture in its middle", async () => {
  const bytes = await sharp({ create: { width: 600, height: 300, channels: 3, background: "#2080c0" } })
    .jpeg()
    .toBuffer();
  const { outcome, result } = await toIcon(bytes);
  expect(outcome).toMatchObject({
    kind: "done",
    result: { format: "ico", width: 256, height: 256 },
    notes: [{ code: "icon-sizes", sizes: [16, 32, 48, 256] }],
  });
  const entries = readIconEntries(result);
  expect(entries.map(({ kind, width, height }) => [kind, width, height])).toEqual([
    ["bmp", 16, 16],
    ["bmp", 32, 32],
    ["bmp", 48, 48],
    ["png", 256, 256],
  ]);
  const small = entries[0] && decodeIconBitmap(entries[0]);
  const at = (x: number, y: number) => [...(small?.data.subarray((y * 16 + x) * 4, (y * 16 + x) * 4 + 4) ?? [])];
  expect([at(8, 2)[3], at(8, 13)[3], at(8, 8)[3]]).toEqual([0, 0, 255]);
  for (const [i, value] of [0x20, 0x80, 0xc0].entries()) expect(Math.abs((at(0, 8)[i] ?? 0) - value)).toBeLessThan(4);
});

test("a small picture is not enlarged: its own size is the largest of the icon", async () => {
  const { result, outcome } = await toIcon(await red(40));
  expect(readIconEntries(result).map(({ width }) => width)).toEqual([16, 32, 40]);
  expect(outcome).toMatchObject({ result: { width: 40, height: 40 } });
  expect((await toIcon(await red(5))).outcome).toMatchObject({ notes: [{ code: "icon-sizes", sizes: [5] }] });
});

test("what an icon is made of comes out of it again: alpha, and grey", async () => {
  const half = { r: 10, g: 200, b: 90, alpha: 0.5 };
  const clear = await sharp({ create: { width: 32, height: 32, channels: 4, background: half } })
    .png()
    .toBuffer();
  expect((await pixelsOf((await toIcon(clear)).result))[0]).toEqual([10, 200, 90, 128]);
  const grey = await sharp(Buffer.alloc(400, 77), { raw: { width: 20, height: 20, channels: 1 } })
    .toColourspace("b-w")
    .png()
    .toBuffer();
  expect((await pixelsOf((await toIcon(grey)).result))[0]).toEqual([77, 77, 77, 255]);
});

test("an icon fits a limit of bytes, its pictures as PNG", async () => {
  const { data, width, height } = drawPhoto({ width: 256, height: 256 });
  const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  const limit = { max_bytes: 60_000, min_quality: 20, allow_resize: true };
  const { result } = await toIcon(bytes, limit);
  expect(result.length).toBeLessThanOrEqual(60_000);
  expect(readIconEntries(result).map(({ kind }) => kind)).toEqual(["png", "png", "png", "png"]);
});

test("compress keeps all pictures of an icon at their sizes", async () => {
  const { data, width, height } = drawPhoto({ width: 256, height: 256 });
  const icon = (
    await toIcon(
      await sharp(data, { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer(),
    )
  ).result;
  const { outcome, result } = await runOperation(compress, { bytes: icon, options: { quality: 80 } });
  expect(outcome).toMatchObject({ kind: "done", result: { format: "ico", width: 256 }, notes: [] });
  expect(result.length).toBeLessThan(icon.length * 0.8);
  expect(readIconEntries(result).map((entry) => entry.width)).toEqual([16, 32, 48, 256]);
  const again = await runOperation(compress, { bytes: result, options: { quality: 80 } });
  expect(again.outcome).toMatchObject({ nothingSaved: true });
});

test("compress at 100 loses nothing of an icon", async () => {
  const icon = (await toIcon(await red(64))).result;
  const { result } = await runOperation(compress, { bytes: icon, options: { quality: 100 } });
  expect(result.length).toBeLessThan(icon.length);
  expect(await pixelsOf(result)).toEqual(await pixelsOf(icon));
});

test("a damaged picture that is not the largest is found by compress, and is the icon's fault", async () => {
  const png = Buffer.from(await red(16));
  png.fill(0, png.indexOf("IDAT") + 4, png.indexOf("IDAT") + 12);
  const icon = iconFile({ width: 16, height: 16, png }, { width: 64, height: 64, png: await red(64) });
  await expect(runOperation(compress, { bytes: icon, options: { quality: 80 } })).rejects.toMatchObject({
    code: "broken-image",
  });
});

test("a resized icon is one picture", async () => {
  const icon = (await toIcon(await red(64))).result;
  const { outcome, result } = await runOperation(resize, { bytes: icon, options: { width: 20, method: "fit" } });
  expect(outcome).toMatchObject({ result: { format: "png", width: 20, height: 20 } });
  expect((await sharp(result).metadata()).format).toBe("png");
});

test("pictures that share bytes are refused: written one by one they would multiply", async () => {
  const picture = { width: 2, height: 2, pixels: [...blueGreen, ...redWhite], mask: noMask };
  const icon = iconFile(picture, picture);
  icon.copy(icon, 6 + 16 + 8, 6 + 8, 6 + 16); // the second directory entry points to the first image
  await expect(open(icon.subarray(0, icon.length - 45))).rejects.toMatchObject({ code: "broken-image" });
});

test("what is behind the pixels of a picture goes, and what is no picture of an icon is damage", () => {
  const mask = [...noMask, ...Buffer.from("a JPEG with a location")];
  const picture = { width: 2, height: 2, pixels: [...blueGreen, ...redWhite] };
  expect(Buffer.from(stripIcon(iconFile({ ...picture, mask })).bytes)).toEqual(iconFile({ ...picture, mask: noMask }));
  const jpeg = Buffer.alloc(400, "\xff\xd8\xff\xe1", "latin1");
  expect(() => stripIcon(iconFile({ width: 2, height: 2, png: jpeg }))).toThrow(
    expect.objectContaining({ code: "damaged" }),
  );
});
