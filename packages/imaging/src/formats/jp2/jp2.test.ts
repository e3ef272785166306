import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeColours } from "@tintype/codecs/colour";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compress } from "../../operations/compress.ts";
import { convert } from "../../operations/convert.ts";
import { resize } from "../../operations/resize.ts";
import { channelDefinitions, colourNumbers, jp2Codestream, jp2Container, jp2File } from "../../testing/jp2-file.ts";
import { runOperation, testLimits } from "../../testing/run-operation.ts";
import { orientationExif } from "../exif.ts";
import { box, uint } from "../heif/boxes.ts";
import { openInputFile } from "../input-file.ts";
import { openSource } from "../open-source.ts";
import { readParts } from "../read-parts.ts";
import { stripJp2 } from "./metadata.ts";
import { readUuidBoxes } from "./uuid-boxes.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "jp2-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(bytes: Uint8Array) {
  const path = join(folder, "picture.jp2");
  await writeFile(path, bytes);
  return path;
}
const open = async (bytes: Uint8Array, megapixelsIn = 25) =>
  openSource(await write(bytes), { ...testLimits, megapixelsIn });

/**
 * Lossless codestreams of 6 x 4 px. By OpenJPEG 2.5.0: 16 bits, with 4000 (x + y) in red, the same upside down in
 * green, 100 x in blue, and alpha 30000; 12-bit grey, 400 (x + y); signed grey, 20 (x + y) - 100; CMYK; YCbCr 4:2:0;
 * and tiles of 4 x 3 on a grid whose image area starts at 3, 1, with 40 x in red, 60 y in green and 10 (x + y) in blue.
 * By OpenJPH 0.31: the samples of the last one again, in the high-throughput coding of ISO/IEC 15444-15.
 */
const drawnBy = {
  rgba16:
    "/0//UQAyAAAAAAAGAAAABAAAAAAAAAAAAAAABgAAAAQAAAAAAAAAAAAEDwEBDwEBDwEBDwEB/1IADAAAAAEBAQQEAAH/XAAHQICIiJD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAACGAAH/k8P/AAWAEAGSqRZX8ebmHpDf+JBgCI+JuNoA0xDpHSHb3/iQYAizjsV50x/pfWx+B8H+AkAIjlw6D2vvUl/AP2BYB+wOEkeFF38MFdhZHXa/wf9AASB/gHARRpU/Czmosjrta8H/QAEg/2AA4BE6VcYLOaiyOu1tgP/Z",
  rgb16:
    "/0//UQAvAAAAAAAGAAAABAAAAAAAAAAAAAAABgAAAAQAAAAAAAAAAAADDwEBDwEBDwEB/1IADAAAAAEBAQQEAAH/XAAHQICIiJD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAB4AAH/k8P/AAWAEAGSqRZX8ebmHpDf+JBgCI+JuNoA0xDpHSHb3/iQYAizjsV50x/pfWx+B8A/YFgH7A4SR4UXfwwV2Fkddr/B/0ABIH+AcBFGlT8LOaiyOu1rwf9AASD/YADgETpVxgs5qLI67W3/2Q==",
  g12: "/0//UQApAAAAAAAGAAAABAAAAAAAAAAAAAAABgAAAAQAAAAAAAAAAAABCwEB/1IADAAAAAEAAQQEAAH/XAAHQGBoaHD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAAqAAH/k9/gJAel3mxbQewlvcH5gkH5goARPSifCzkaoH//2Q==",
  s8: "/0//UQApAAAAAAAGAAAABAAAAAAAAAAAAAAABgAAAAQAAAAAAAAAAAABhwEB/1IADAAAAAEAAQQEAAH/XAAHQEBISFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAAlAAH/k8+0HAelJk0eDL/B84OD5wgRQnsLPCOf/9k=",
  cmyk: "/0//UQAyAAAAAAAGAAAABAAAAAAAAAAAAAAABgAAAAQAAAAAAAAAAAAEBwEBBwEBBwEBBwEB/1IADAAAAAEBAQQEAAH/XAAHQEBISFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAABEAAH/k9+AOAkINJeMkNeA34AwERbYn4pf34A4BqrOEdqzA8D5AYARPX+Aw+oDABE9JaPtBQALPCPLr//Z",
  y420: "/0//UQAvAAAAAAAGAAAABAAAAAAAAAAAAAAABgAAAAQAAAAAAAAAAAADBwEBBwICBwIC/1IADAAAAAEAAQQEAAH/XAAHQEBISFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAA5AAH/k9+AOAesTQHew/PD5wYFZ7/A+EIBn8PqA4HyBAARQnsLPCN/gKD5wYAIV3//2Q==",
  tiles:
    "/0//UQAvAAAAAAAJAAAABQAAAAMAAAABAAAABAAAAAMAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEBAQQEAAH/XAAHQEBISFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAArAAH/k8/ACh9oCAl7B8PqAofaBAh/Ac/D6gKH2gQJnwBp/5AACgABAAAARAAB/5PPtAwIOr/B8gIJac+0DAsiR8D5AUPqAoAQgAsvCT8BwPkBQ+oDAAtjAcd/w+oCh9QGC2IBnz//kAAKAAIAAAAsAAH/k8fUBAifw+cEAc/fgBAC38PqAgc/w+oCAc/D6gIAa/+QAAoAAwAAACwAAf+Tx9oHD7QEBf9/B8/ACh9oEAnTAc/fmBQ+0CAG8wBp/5AACgAEAAAARQAB/5PH1AYHGz/PtAwIFzfPtAwGQSfA+QFD6gKAEIALLwk/AcD5AUPqAwALYwHHf8PqAofUBgtiAZ8//5AACgAFAAAAKwAB/5PD5wIEz7QIBu/H1AQBz8PqAgc/w+oCAc/D6gIAa//Z",
  ht: "/0//UQAvQAAAAAAGAAAABAAAAAAAAAAAAAAABgAAAAQAAAAAAAAAAAADBwEBBwEBBwEB/1AACAACAAAAAv9SAAwAAgABAQEEBEAB/1wAByBQUFBQ/2QAFwABT3BlbkpQSCBWZXIgMC4zMS4wLv+QAAoAAAAAAHwAAf+TwBWA/fUyNwn8AAABeLYAwBVgX5NbauIAAAN8tgDAFYANntpIEf0AIQF8tgDAE0AVUASggPgw/bQAAAAAAOADk361AMAC/bQAwBNAFQBS/oDLdADjcfwA5HdVAMATQBUATueAi3QA9/v+AOR3VQD/2Q==",
};
const codestream = (name: keyof typeof drawnBy) => Buffer.from(drawnBy[name], "base64");

const [width, height] = [24, 16];
const noise = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * i) % 251);
const small = () => jp2File({ width, height, channels: 3, data: noise });
const at = (raw: Buffer, channels: number, [x, y]: [number, number]) =>
  Array.from({ length: channels }, (_, c) => raw.readUInt16LE(((y * 6 + x) * channels + c) * 2));

test("every pixel is read, of a bare codestream and of a container", async () => {
  for (const bytes of [await jp2Codestream({ width, height, channels: 3, data: noise }), await small()]) {
    const source = await open(bytes);
    expect(source).toMatchObject({ format: "jp2", width, height, pages: 1, hasAlpha: false, depth: 8, notes: [] });
    expect(Buffer.compare(await source.read().raw().toBuffer(), noise)).toBe(0);
  }
});

test("grey stays grey", async () => {
  const data = noise.subarray(0, width * height);
  const source = await open(await jp2File({ width, height, channels: 1, data }));
  expect(source).toMatchObject({ width, height, isGrey: true, depth: 8 });
  expect(Buffer.compare(await source.read().raw().toBuffer(), data)).toBe(0);
});

const opacity = (kind: number) => [channelDefinitions([0, 0, 1], [1, 0, 2], [2, 0, 3], [3, kind, 0])];

test("16 bits stay, with alpha and without", async () => {
  const [rgb, rgba] = [codestream("rgb16"), codestream("rgba16")];
  for (const [bytes, channels] of [
    [jp2Container(rgb), 3],
    [jp2Container(rgba, { header: opacity(1) }), 4],
    [rgba, 4],
  ] as const) {
    const source = await open(bytes);
    expect(source).toMatchObject({ width: 6, height: 4, depth: 16, hasAlpha: channels === 4, notes: [] });
    const raw = await source.read().raw({ depth: "ushort" }).toBuffer();
    expect(at(raw, channels, [5, 1])).toEqual([24_000, 65_535 - 24_000, 500, ...(channels === 4 ? [30_000] : [])]);
  }
  const { result } = await runOperation(convert, { bytes: jp2Container(rgb), options: { target_format: "png" } });
  expect((await sharp(result).metadata()).depth).toBe("ushort");
});

test("premultiplied colours are divided by their alpha", async () => {
  const source = await open(jp2Container(codestream("rgba16"), { header: opacity(2) }));
  const raw = await source.read().raw({ depth: "ushort" }).toBuffer();
  const scaled = (value: number) => Math.round((value * 65_535) / 30_000);
  expect(at(raw, 4, [1, 0])).toEqual([scaled(4000), 65_535, scaled(100), 30_000]);
});

test("without definitions the channel after the colours is opacity, as Pillow means it", async () => {
  expect(await open(jp2Container(codestream("rgba16")))).toMatchObject({ hasAlpha: true, notes: [] });
});

test.each([0, 65_535])("colours and opacity associated with %i are read in order", async (place) => {
  const header = [channelDefinitions([0, 0, place], [1, 0, place], [2, 0, place], [3, 1, place])];
  const named = [channelDefinitions([0, 0, 1], [1, 0, 2], [2, 0, 3], [3, 1, 0])];
  const raw = async (boxes: Buffer[]) => {
    const source = await open(jp2Container(codestream("rgba16"), { header: boxes }));
    expect(source).toMatchObject({ hasAlpha: true, notes: [] });
    return source.read().raw({ depth: "ushort" }).toBuffer();
  };
  expect((await raw(header)).equals(await raw(named))).toBe(true);
});

test("a channel that is no opacity is left out, and it is said", async () => {
  const header = [channelDefinitions([0, 0, 1], [1, 0, 2], [2, 0, 3], [3, 65_535, 65_535])];
  expect(await open(jp2Container(codestream("rgba16"), { header }))).toMatchObject({
    hasAlpha: false,
    notes: [{ code: "channels-left-out", count: 1 }],
  });
});

test("channels are taken in the order that their definition names", async () => {
  const header = [channelDefinitions([0, 0, 3], [1, 0, 2], [2, 0, 1])];
  const raw = await (await open(jp2Container(codestream("rgb16"), { header })))
    .read()
    .raw({ depth: "ushort" })
    .toBuffer();
  expect(at(raw, 3, [5, 1])).toEqual([500, 65_535 - 24_000, 24_000]);
});

test("12 bits fill 16, and signed samples the range from black to white", async () => {
  const twelve = await open(jp2Container(codestream("g12"), { colours: colourNumbers.grey }));
  expect(twelve).toMatchObject({ depth: 16, isGrey: true });
  const raw = await twelve.read().raw({ depth: "ushort" }).toBuffer();
  expect(at(raw, 1, [5, 3])).toEqual([Math.round((3200 * 65_535) / 4095)]);
  const signed = await (await open(codestream("s8"))).read().raw().toBuffer();
  expect([...signed.subarray(0, 6)]).toEqual([28, 48, 68, 88, 108, 128]);
});

test.each(["tiles", "ht"] as const)("a codestream of %s is read as any other", async (name) => {
  const raw = await (await open(codestream(name))).read().raw().toBuffer();
  const expected = Array.from({ length: 24 }, (_, i) => {
    const [x, y] = [i % 6, Math.floor(i / 6)];
    return [40 * x, 60 * y, 10 * (x + y)];
  });
  expect([...raw]).toEqual(expected.flat());
});

test("subsampled sYCC becomes RGB, whether it is named or known by its samples", async () => {
  const y420 = codestream("y420");
  for (const bytes of [jp2Container(y420, { colours: colourNumbers.sYcc }), y420]) {
    const source = await open(bytes);
    expect(source).toMatchObject({ width: 6, height: 4, depth: 8, hasAlpha: false });
    const raw = await source.read().raw().toBuffer();
    // Y 90, Cb 120, Cr 120, and the next pixel with the same chroma.
    expect([...raw.subarray((2 * 6 + 2) * 3, (2 * 6 + 4) * 3)]).toEqual([89, 108, 86, 129, 148, 126]);
  }
});

test("CMYK becomes sRGB, and it is said", async () => {
  const source = await open(jp2Container(codestream("cmyk"), { colours: colourNumbers.cmyk }));
  expect(source).toMatchObject({ notes: [{ code: "cmyk-converted" }] });
  const raw = await source.read({ colour: "srgb" }).raw().toBuffer();
  expect(raw[0]).toBeGreaterThan(240); // no ink
  expect(raw[5 * 3]).toBeLessThan(80); // cyan
});

test("a palette is applied", async () => {
  const data = Uint8Array.from({ length: 16 * 16 }, (_, i) => i % 3);
  const indices = await jp2Codestream({ width: 16, height: 16, channels: 1, data });
  const header = [
    box("pclr", uint(2, 3), [3], [7, 7, 7], [255, 0, 0], [0, 255, 0], [1, 2, 3]),
    box("cmap", ...[0, 1, 2].map((column) => [0, 0, 1, column])),
  ];
  const source = await open(jp2Container(indices, { header }));
  expect(source).toMatchObject({ isGrey: false, hasAlpha: false });
  const raw = await source.read().raw().toBuffer();
  expect([...raw.subarray(0, 9)]).toEqual([255, 0, 0, 0, 255, 0, 1, 2, 3]);
});

test("a profile is kept, and one for another number of colours is damage", async () => {
  const [rgb, grey] = [describeColours({ curve: { gamma: 1.8 } }), describeColours({ isGrey: true })];
  const bytes = await jp2Codestream({ width, height, channels: 3, data: noise });
  expect(await open(jp2Container(bytes, { colours: rgb }))).toMatchObject({ hasProfile: true });
  const { result } = await runOperation(convert, {
    bytes: jp2Container(bytes, { colours: rgb }),
    options: { target_format: "png" },
  });
  expect((await sharp(result).metadata()).icc).toBeDefined();
  const single = await jp2Codestream({ width, height, channels: 1, data: noise.subarray(0, width * height) });
  expect(await open(jp2Container(single, { colours: grey }))).toMatchObject({ isGrey: true, hasProfile: true });
  await expect(open(jp2Container(single, { colours: rgb }))).rejects.toMatchObject({ code: "broken-image" });
});

test("what is not read is refused by its name", async () => {
  const bytes = await jp2Codestream({ width, height, channels: 3, data: noise });
  await expect(open(jp2Container(bytes, { colours: 14 }))).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("CIELab"),
  });
  const deep = Buffer.from(bytes);
  deep[42] = 23;
  await expect(open(jp2Container(deep))).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("24 bits"),
  });
  const single = await jp2Codestream({ width, height, channels: 1, data: noise.subarray(0, width * height) });
  const header = [
    box("pclr", uint(2, 1), [3, 31, 31, 31], Buffer.alloc(12)),
    box("cmap", ...[0, 1, 2].map((i) => [0, 0, 1, i])),
  ];
  await expect(open(jp2Container(single, { header }))).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("32 bits"),
  });
});

test("colours that are described in an unknown way are taken as sRGB, and it is said", async () => {
  const bytes = Buffer.from(await small());
  bytes[bytes.indexOf("colr") + 4] = 5;
  expect(await open(bytes)).toMatchObject({
    isGrey: false,
    notes: [{ code: "colour-space-assumed" }],
  });
});

test("of several pictures the first one is kept, and it is said", async () => {
  const bytes = await jp2Codestream({ width, height, channels: 3, data: noise });
  expect(await open(jp2Container(bytes, { boxes: [["jp2c", bytes]] }))).toMatchObject({
    pages: 2,
    notes: [{ code: "first-picture-kept", pictures: 2 }],
  });
});

test("pixels are counted before they are decoded", async () => {
  await expect(open(await small(), 0.0001)).rejects.toMatchObject({ code: "too-many-pixels" });
  const huge = Buffer.from(codestream("s8"));
  for (const place of [8, 12, 24, 28]) huge.writeUInt32BE(65_000, place);
  await expect(open(huge, 10_000)).rejects.toMatchObject({
    code: "too-many-pixels",
    detail: expect.stringContaining("200 million samples"),
  });
});

test("a grid of far more points than there are pixels is refused", async () => {
  const coarse = Buffer.from(codestream("s8"));
  for (const place of [8, 12, 24, 28]) coarse.writeUInt32BE(12_000, place);
  coarse[43] = 255;
  coarse[44] = 255;
  await expect(open(coarse)).rejects.toMatchObject({ code: "cannot-process" });
});

test.each([0.02, 0.3, 0.6, 0.99])("one that is cut off at %d of its bytes is broken", async (share) => {
  const file = await small();
  const bare = await jp2Codestream({ width, height, channels: 3, data: noise });
  for (const bytes of [file, bare, codestream("tiles")])
    await expect(open(bytes.subarray(0, bytes.length * share))).rejects.toMatchObject({ code: "broken-image" });
});

test("a tile that is missing is damage", async () => {
  const bytes = codestream("tiles");
  // Psot of the first tile-part leads to the second one.
  const first = bytes.indexOf(Buffer.of(0xff, 0x90, 0, 10));
  const second = first + bytes.readUInt32BE(first + 6);
  const without = Buffer.concat([bytes.subarray(0, second), bytes.subarray(second + bytes.readUInt32BE(second + 6))]);
  await expect(open(without)).rejects.toMatchObject({ code: "broken-image" });
});

test("a tile-part that is missing is damage", async () => {
  const bytes = codestream("tiles");
  // TNsot of the first tile-part: it announces two tile-parts.
  bytes[bytes.indexOf(Buffer.of(0xff, 0x90, 0, 10)) + 11] = 2;
  await expect(open(bytes)).rejects.toMatchObject({ code: "broken-image" });
});

test("of several descriptions of the colours the first that is read counts", async () => {
  const bytes = jp2Container(codestream("rgb16"), { colours: 21, header: [box("colr", [1, 0, 0], uint(4, 16))] });
  expect(await open(bytes)).toMatchObject({ isGrey: false, notes: [] });
});

test("many channels, comments and samples are refused before they take memory", async () => {
  const single = codestream("s8");
  const withChannels = (count: number, sidePx: number) => {
    const channels = Array<Buffer>(count).fill(single.subarray(42, 45));
    const many = Buffer.concat([single.subarray(0, 42), ...channels, single.subarray(45)]);
    many.writeUInt16BE(38 + 3 * count, 4);
    many.writeUInt16BE(count, 40);
    for (const place of [8, 12, 24, 28]) many.writeUInt32BE(sidePx, place);
    return many;
  };
  await expect(open(withChannels(17, 6))).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("17 channels"),
  });
  await expect(open(withChannels(16, 1000), 2)).rejects.toMatchObject({
    code: "too-many-pixels",
    detail: expect.stringContaining("10 million samples"),
  });
  const comment = Buffer.of(0xff, 0x64, 0, 5, 0, 1, 0x20);
  const chatty = Buffer.concat([single.subarray(0, 45), ...Array<Buffer>(2001).fill(comment), single.subarray(45)]);
  await expect(open(chatty)).rejects.toMatchObject({ code: "broken-image" });
});

test("zeros within the pixels are damage, or change them alone: the engine goes on", async () => {
  const bare = await small();
  for (let from = 8; from + 40 < bare.length; from += 211) {
    const damaged = Buffer.from(bare).fill(0, from, from + 40);
    const problem: unknown = await open(damaged).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (problem !== undefined)
      expect(problem).toMatchObject({
        code: expect.stringMatching(/broken-image|too-many|cannot-process|not-an-image/),
      });
  }
  expect(await open(bare)).toMatchObject({ width });
});

const ids = {
  exif: Buffer.from("JpgTiffExif->JP2", "latin1"),
  xmp: Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex"),
  iptc: Buffer.from("33c7a4d2b81d4723a0baf1a3e097ad38", "hex"),
};

test("metadata is found in its boxes, and goes, comments too", async () => {
  const [exif, xmp, iptc] = [Buffer.from("II*\0\x08\0\0\0\0\0\0\0\0\0", "latin1"), Buffer.from("<x/>"), Buffer.of(28)];
  const bytes = jp2Container(codestream("tiles"), {
    header: [box("xml ", Buffer.from("A-SECRET"))],
    boxes: [
      ["uuid", Buffer.concat([ids.exif, Buffer.from("Exif\0\0", "latin1"), exif])],
      ["uuid", Buffer.concat([ids.xmp, xmp])],
      ["uuid", Buffer.concat([ids.iptc, iptc])],
      ["xml ", Buffer.from("A-SECRET")],
      ["zzzz", Buffer.from("A-SECRET")],
    ],
  });
  expect(bytes.includes("Created by OpenJPEG")).toBe(true);
  expect(readUuidBoxes(bytes, { maxBytes: 1000 })).toEqual({ exif, xmp, iptc });
  const trailing = Buffer.concat([codestream("tiles"), Buffer.from("A-SECRET")]);
  for (const file of [bytes, codestream("tiles"), trailing, jp2Container(trailing)]) {
    const stripped = Buffer.from(stripJp2(file).bytes);
    for (const gone of ["A-SECRET", "Created by", "uuid", "<x/>"]) expect(stripped.includes(gone)).toBe(false);
    const pixels = async (one: Uint8Array) => (await open(one)).read().raw().toBuffer();
    expect(Buffer.compare(await pixels(stripped), await pixels(file))).toBe(0);
  }
});

test("content credentials are found, to be named", async () => {
  const bytes = jp2Container(codestream("ht"), { boxes: [["jumb", Buffer.from("\0\0\0\x1ejumdc2pa")]] });
  expect([...(await readParts(await openInputFile(await write(bytes)))).keys()]).toEqual(["credentials"]);
});

test("a resized JPEG 2000 is a JPEG, and compress says to use convert", async () => {
  const { outcome } = await runOperation(resize, { bytes: await small(), options: { width: 12, method: "fit" } });
  expect(outcome).toMatchObject({
    result: { format: "jpeg", width: 12, height: 8 },
    notes: [{ code: "format-not-written", from: "jp2", to: "jpeg" }],
  });
  await expect(runOperation(compress, { bytes: await small(), options: { quality: 75 } })).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("JPEG 2000 can be read but not written"),
  });
});

test("the size is reported before the pixels are decoded", async () => {
  const sizes: number[] = [];
  const path = await write(await small());
  await openSource(path, { ...testLimits, reportMegapixels: (megapixels) => sizes.push(megapixels) });
  expect(sizes[0]).toBeCloseTo((width * height) / 1e6);
});

// product: orientation-applied
test.each([1, 3, 6, 8])(
  "orientation %i of its EXIF is applied, and the result says nothing of it",
  async (orientation) => {
    const bare = await jp2Codestream({ width, height, channels: 3, data: noise });
    const exif = Buffer.concat([Buffer.from("JpgTiffExif->JP2"), orientationExif(orientation)]);
    const bytes = jp2Container(bare, { boxes: [["uuid", exif]] });
    const wanted = await sharp(noise, { raw: { width, height, channels: 3 } })
      .rotate({ 1: 0, 3: 180, 6: 90, 8: 270 }[orientation] ?? 0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const source = await open(bytes);
    expect([source.width, source.height]).toEqual([wanted.info.width, wanted.info.height]);
    expect(Buffer.compare(await source.read().raw().toBuffer(), wanted.data)).toBe(0);
    for (const metadata of ["none", "copyright", "all-but-place"]) {
      const options = { target_format: "png", metadata, min_quality: 40, allow_resize: false } as const;
      const { result: output } = await runOperation(convert, { bytes, options });
      expect(Buffer.compare(await sharp(output).removeAlpha().raw().toBuffer(), wanted.data)).toBe(0);
      expect((await sharp(output).metadata()).orientation ?? 1).toBe(1);
    }
    // Upload does not rotate pixels, so the file keeps its orientation.
    const stripped = stripJp2(bytes).bytes;
    expect(Buffer.compare(await (await open(stripped)).read().raw().toBuffer(), wanted.data)).toBe(0);
    expect(Buffer.compare(stripJp2(stripped).bytes, stripped)).toBe(0);
  },
);
