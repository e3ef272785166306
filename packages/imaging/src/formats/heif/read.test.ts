import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codedAv1, type HeicFile, heicColours, heicFile } from "../../testing/heic-file.ts";
import { openRaster } from "../open-raster.ts";
import { openSource } from "../open-source.ts";
import { box, readBoxes } from "./boxes.ts";
import { readItems } from "./items.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "heif-"));
});
afterAll(() => rm(folder, { recursive: true }));

const limits = { megapixelsIn: 25, megapixelsOut: 25 };
async function open(bytes: Uint8Array) {
  const path = join(folder, `${crypto.randomUUID()}.bin`);
  await writeFile(path, bytes);
  return openSource(path, limits);
}
const openHeic = (file: HeicFile = {}) => open(heicFile(file));
type Opened = Awaited<ReturnType<typeof open>>;

/** The centre of each quarter: top left, top right, bottom left, bottom right. */
async function quarters(source: Opened, options: Parameters<Opened["read"]>[0] = {}) {
  const { data, info } = await source.read(options).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * info.channels;
    return [...data.subarray(start, start + info.channels)];
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}
const gap = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]) =>
  Math.max(...a.flatMap((one, i) => one.map((value, c) => Math.abs(value - (b[i]?.[c] ?? Number.NaN)))));

/** Grey of 225 in 64 x 48 px as AVIF of limited range, by libaom. */
const limitedGrey = () =>
  Buffer.from(
    [
      "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPBtZXRhAAAAAAAAAChoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAbGli",
      "YXZpZgAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEUAAAAGwAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAA",
      "AAEAAGF2MDFDb2xvcgAAAABoaXBycAAAAElpcGNvAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAOcGl4aQAAAAABCAAAAAxhdjFDgQAc",
      "AAAAABNjb2xybmNseAABAA0ABgAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACNtZGF0EgAKCRgVf72GAhoMQDIMEcAEEQC0ci3z",
      "LRag",
    ].join(""),
    "base64",
  );

test("grey of limited range is expanded, whether the container or only the bitstream says so", async () => {
  const bytes = limitedGrey();
  expect((await (await open(bytes)).read().stats()).channels[0]?.mean).toBe(225);
  bytes.write("free", bytes.indexOf("colr"), "latin1");
  expect((await (await open(bytes)).read().stats()).channels[0]?.mean).toBe(225);
});

test.each(["avif", "avis", "msf1"])(
  "the still image of a sequence of the brand %s is read whatever its tracks are",
  async (brand) => {
    const still = await sharp({
      create: { width: 64, height: 48, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
    })
      .avif({ lossless: true })
      .toBuffer();
    still.write(brand, 8, "latin1");
    still.write("msf1", 20, "latin1");
    // A movie without the header that libheif wants.
    const source = await open(Buffer.concat([still, box("moov", box("trak", [0, 0, 0, 0]))]));
    expect(source).toMatchObject({ format: "avif", hasAlpha: true });
    const { data } = await source.read().raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 4)]).toEqual([255, 0, 0, 128]);
  },
);

test("a HEIC comes out in its own colours and size", async () => {
  const source = await openHeic({ codes: [1, 13, 6] });
  expect(source).toMatchObject({
    format: "heic",
    width: 64,
    height: 32,
    hasAlpha: false,
    hasProfile: false,
    notes: [],
  });
  expect(gap(await quarters(source), heicColours)).toBeLessThanOrEqual(4);
});

test("its own turn is made once, whatever its EXIF says", async () => {
  const exif = Buffer.from(
    "4949 2a00 0800 0000 0100 1201 0300 0100 0000 0600 0000 0000 0000".replaceAll(" ", ""),
    "hex",
  );
  const source = await openHeic({ turns: 1, exif });
  expect([source.width, source.height]).toEqual([32, 64]);
  const [a, b, c, d] = heicColours;
  expect(gap(await quarters(source), [b, d, a, c])).toBeLessThanOrEqual(4); // rotated 90 degrees anticlockwise
});

test("a matte becomes alpha", async () => {
  const source = await openHeic({ hasMatte: true });
  expect(source.hasAlpha).toBe(true);
  expect((await quarters(source)).map((pixel) => pixel[3])).toEqual([255, 128, 255, 128]);
});

test("a matte beside colours of 10 bits becomes alpha", async () => {
  const source = await openHeic({ coding: "ten", hasMatte: true });
  expect(source).toMatchObject({ hasAlpha: true, depth: 16 });
  const pixels = await quarters(source, { colour: "srgb" });
  const alphas = pixels.map((pixel) => pixel[3] ?? 0);
  expect(gap([alphas], [[255, 128, 255, 128]])).toBeLessThanOrEqual(1);
  expect(
    gap(
      pixels,
      heicColours.map((colour, i) => [...colour, alphas[i] ?? 0]),
    ),
  ).toBeLessThanOrEqual(4);
});

test("a picture of tiles is read whole, or not at all", async () => {
  const grid = heicFile({ isGrid: true, codes: [1, 13, 6] });
  const source = await open(grid);
  expect(source).toMatchObject({ width: 128, height: 32 });
  const [a, b, c, d] = heicColours;
  const { data } = await source.read().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * 128 + x) * 3, (y * 128 + x) * 3 + 3)];
  const shown = [at(80, 8), at(112, 8), at(80, 24), at(112, 24)];
  expect(gap(shown, [a, b, c, d])).toBeLessThanOrEqual(4);
  const { items } = readItems(grid, readBoxes(grid, 0, grid.length));
  const [tile] = items.get(11)?.extents ?? [];
  const cut = grid.subarray(0, (tile?.end ?? 0) - 20);
  await expect(open(cut)).rejects.toMatchObject({ code: "broken-image" });
  const zeros = Uint8Array.from(grid).fill(0, tile?.start, tile?.end);
  await expect(open(zeros)).rejects.toMatchObject({ code: "broken-image" });
});

test("a tile whose slice ends early does not come out green", async () => {
  const grid = heicFile({ isGrid: true });
  const { items } = readItems(grid, readBoxes(grid, 0, grid.length));
  const [tile = { start: 0, end: 0 }] = items.get(11)?.extents ?? [];
  const zeros = Uint8Array.from(grid).fill(0, tile.start + 12, tile.end);
  await expect(open(zeros)).rejects.toMatchObject({ code: "broken-image" });
});

test("hundreds of properties are no damage", async () => {
  const source = await openHeic({ surplusProperties: 400 });
  expect(source).toMatchObject({ width: 64, height: 32 });
});

/** A grid of two AVIF tiles, side by side; `change` damages the second one. */
async function avifGrid(change: (tile: Uint8Array) => void = () => {}) {
  const avif = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
    .composite([{ input: { create: { width: 20, height: 30, channels: 3, background: "blue" } }, left: 7, top: 9 }])
    .avif({ quality: 90 })
    .toBuffer();
  const other = { ...codedAv1(avif), width: 64, height: 64 };
  const grid = heicFile({ isGrid: true, type: "av01", other });
  const [tile] = readItems(grid, readBoxes(grid, 0, grid.length)).items.get(11)?.extents ?? [];
  change(grid.subarray(tile?.start, tile?.end));
  return grid;
}

test("an AVIF of tiles is read whole, or not at all", async () => {
  expect(await open(await avifGrid())).toMatchObject({ format: "avif", width: 128, height: 64 });
  const damages: ((tile: Uint8Array) => void)[] = [
    (tile) => tile.fill(0),
    (tile) => tile.fill(0, tile.length / 2),
    (tile) =>
      tile.set(
        [...tile.slice(20, 30)].map((byte) => byte ^ 0xa5),
        20,
      ),
  ];
  for (const damage of damages)
    await expect(open(await avifGrid(damage))).rejects.toMatchObject({ code: "broken-image" });
});

test("of several pictures the main one is read, and the others are spoken of", async () => {
  const source = await openHeic({ hasSecond: true, coding: "ten" });
  expect(source.notes).toEqual([{ code: "main-picture-kept", pictures: 2 }]);
  expect(source.depth).toBe(16); // the primary picture; the first in the file has 8 bits
});

test("10 bits are kept as 16", async () => {
  const source = await openHeic({ coding: "ten" });
  expect(source.depth).toBe(16);
  const png = await source.read().png().toBuffer();
  expect((await sharp(png).metadata()).depth).toBe("ushort");
  expect(gap(await quarters(source, { colour: "srgb" }), heicColours)).toBeLessThanOrEqual(4);
});

test("Display P3 by code points keeps its colours, as a profile or converted to sRGB", async () => {
  const source = await openHeic({ codes: [12, 13, 6] });
  expect(source.hasProfile).toBe(true);
  expect(gap(await quarters(source), heicColours)).toBeLessThanOrEqual(4);
  // The same samples with sharp's built-in Display P3 profile.
  const reference = openRaster(
    { width: 2, height: 2, channels: 3, data: Uint8Array.from(heicColours.flat()), profile: await p3Profile() },
    { file: { path: "", sizeBytes: 0 }, format: "heic", notes: [] },
  );
  const expected = await quarters(reference, { colour: "srgb" });
  expect(expected[0]?.[0]).toBeGreaterThan(heicColours[0][0] + 10); // the P3 red exceeds the sRGB one
  expect(gap(await quarters(source, { colour: "srgb" }), expected)).toBeLessThanOrEqual(6);
});

async function p3Profile(): Promise<Uint8Array> {
  const red = sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } });
  const { icc } = await sharp(await red.withIccProfile("p3").png().toBuffer()).metadata();
  return icc ?? new Uint8Array();
}

test("an embedded profile comes along", async () => {
  const profile = await p3Profile();
  const source = await openHeic({ profile });
  expect(source.hasProfile).toBe(true);
  expect((await sharp(await source.read().png().toBuffer()).metadata()).icc).toEqual(Buffer.from(profile));
});

test("a high dynamic range picture is bent into an ordinary one, and says so", async () => {
  const source = await openHeic({ coding: "ten", codes: [9, 16, 9] });
  expect(source.notes).toEqual([{ code: "high-range-reduced" }]);
  const white = (await quarters(source, { colour: "srgb" }))[3] ?? [];
  expect(Math.min(...white)).toBeGreaterThan(250); // in PQ, 240 of 255 is several times diffuse white
});

test("too many pixels are refused by the header, before anything is decoded", async () => {
  await expect(openHeic({ claims: { width: 60_000, height: 60_000 } })).rejects.toMatchObject({
    code: "too-many-pixels",
  });
});

test("codings that are not read are refused by name", async () => {
  await expect(openHeic({ type: "avc1" })).rejects.toMatchObject({
    code: "cannot-process",
    message: expect.stringContaining("avc1"),
  });
});

test("a HEIC cut anywhere is refused", async () => {
  const whole = heicFile({ hasMatte: true, codes: [1, 13, 6] });
  for (let length = 32; length < whole.length - 1; length += 37)
    await expect(open(whole.subarray(0, length))).rejects.toMatchObject({ code: "broken-image" });
});

test("AV1 is read whatever the file calls itself, in Display P3 by code points too", async () => {
  const avif = await sharp({ create: { width: 64, height: 32, channels: 3, background: { r: 230, g: 30, b: 20 } } })
    .avif({ quality: 90, chromaSubsampling: "4:4:4" })
    .toBuffer();
  const other = { ...codedAv1(avif), width: 64, height: 32 };
  const plain = await openHeic({ type: "av01", other, codes: [1, 13, 6] });
  expect(plain).toMatchObject({ format: "avif", hasProfile: false, width: 64, height: 32 });
  const wide = await openHeic({ type: "av01", other, codes: [12, 13, 6] });
  expect(wide).toMatchObject({ format: "avif", hasProfile: true, width: 64, height: 32 });
  const [before = []] = await quarters(plain, { colour: "srgb" });
  const [after = []] = await quarters(wide, { colour: "srgb" });
  expect(gap([before], [[230, 30, 20]])).toBeLessThanOrEqual(4);
  expect(after[0]).toBeGreaterThan(240);
});

/** 16 x 16 pixels of 200, 100, 40 with alpha 128, stored premultiplied; made with avifenc for this test. */
const multiplied =
  "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGbbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aW" +
  "YAAAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAAB0QAAACEAAgAAAAEAAAHDAAAADgAAAEJpaW5mAAAAAAACAAAAGmluZmUC" +
  "AAAAAAEAAGF2MDFDb2xvcgAAAAAaaW5mZQIAAAAAAgAAYXYwMUFscGhhAAAAAChpcmVmAAAAAAAAAA5wcmVtAAEAAQACAAAADmF1eGwAAgABAA" +
  "EAAADDaXBycAAAAJ1pcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBIAAAAAAAE2NvbHJuY2x4AAEADQAG" +
  "gAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwAAAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQ" +
  "AAAAAeaXBtYQAAAAAAAAACAAEEAQKDBAACBAEFhgcAAAA3bWRhdBIACgUYDP/5VDIDEAATEgAKCDgM//lAQ0GkMhMQgAAAQAAAPvMHc5uN3EaF" +
  "H6HY";

test("colours that an AVIF stores multiplied by alpha come out as they were", async () => {
  const source = await open(Buffer.from(multiplied, "base64"));
  expect(source).toMatchObject({ format: "avif", width: 16, height: 16, hasAlpha: true });
  expect(gap([[200, 100, 40, 128]], await quarters(source))).toBeLessThanOrEqual(4);
});

test("of an AVIF that is a film the picture beside it is read", async () => {
  const still = await sharp({ create: { width: 64, height: 32, channels: 3, background: { r: 230, g: 30, b: 20 } } })
    .avif({ quality: 90, chromaSubsampling: "4:4:4" })
    .toBuffer();
  const film = Buffer.from(still);
  film.write("avis", 8, "latin1");
  const source = await open(film);
  expect(source).toMatchObject({ format: "avif", width: 64, height: 32 });
  expect(gap([[230, 30, 20]], await quarters(source))).toBeLessThanOrEqual(4);
});
