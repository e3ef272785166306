import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { convert } from "../../operations/convert.ts";
import { resize } from "../../operations/resize.ts";
import { jxlContainer, jxlFile } from "../../testing/jxl-file.ts";
import { runOperation, testLimits } from "../../testing/run-operation.ts";
import { openInputFile } from "../input-file.ts";
import { openSource } from "../open-source.ts";
import { readParts } from "../read-parts.ts";
import { readJxlBlocks } from "./blocks.ts";
import { stripJxl } from "./metadata.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "jxl-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(bytes: Uint8Array) {
  const path = join(folder, "picture.jxl");
  await writeFile(path, bytes);
  return path;
}
const open = async (bytes: Uint8Array, megapixelsIn = 25) =>
  openSource(await write(bytes), { ...testLimits, megapixelsIn });

/**
 * 6 x 4 px. The sample at column x and row y: 4000 (x + y) in red, the same upside down in green, white minus the red
 * in blue.
 */
const drawnBy = {
  // Lossless, by libjxl 0.11, because the encoder of @jsquash/jxl cannot write them.
  rgb16:
    "AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAACzanhsY/8KGED8ABQtAggEAQBwAksYk46DgxlIFJrAtnGLms1BXhBZ92gXCAwAcO/nAO23A7TffkDcbwdov/2AuN8O0H77AXG/HaD99gPifjtA++0AvZ/99oDuzwN6PwNuvz2g9zPg9tsDej8Dbr89oPcz4PbbA3o/A+4vQP8+4oDuz4C7PwPu+2fA3Z8B9/0z4O7PgPv+GXD3Z8B9/wy4+zPg7s8DOoUQwrMwe5g7AA==",
  rgba16:
    "AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAADVanhsY/8KGED8CH4AKFoECBAQAPACSxiTjoODSVBYoAHEGFyGGCNiGFvGGCMvIBhApn5TBnD/DOjfBvRv83kD8d8G9G8D8d+Gagb0bwPx3wb0b2elAPHfBvRvA/rn3wZaYvLPQP8M3L8N9MvKz8D920D/DNy/DbS1/s/A/dtA/wzcgO4c8RGB/jNw/1nwE7j/Gbj/DNz/DNzhSn8G7n8G7j8Dd3raPwP3n4H7z0AHCHbfn3/7t5HNfvu3f/u3nw1++7d/+7dd5X8WAOSbUjhxXQA=",
  grey: "/woYQBAUNwIIBAEAXABLGIsVQhF27LBBP9APDpQSpQwAswowSA==",
  moving:
    "/woYQEETAIgJCAQBAGQBSxiTjoODGUgUlmDbuKXiJHwAAC5sRwJ6gcAA8Mo628d11o/rH+jHddbP66zzsrMeLKzn5vpgc32wuJ6bf/kvzsorvs0rv8s7v8srv88rrzOFEMKzMHuYOwAIBAEAZAFLGJOOg4MZSBSWYNu4peIkfAAALmxHAnqBwADwyjrbx3XWj+sf6Md11s/rrPOysx4srOfm+mBzfbC4npt/+S/Oyiu+zSu/yzu/yyu/zyuvM4UQwrMwe5g7AAgEBQBkAUsYk46DgxlIFJZg27il4iR8AAAubEcCeoHAAPDKOtvHddaP6x/ox3XWz+us87KzHiys5+b6YHN9sLiem3/5L87KK77NK7/LO7/LK7/PK68zhRDCszB7mDsA",
};
const file = (name: keyof typeof drawnBy) => Buffer.from(drawnBy[name], "base64");

const [width, height] = [24, 16];
const noise = Uint8Array.from({ length: width * height * 4 }, (_, i) => (i * i) % 251);
const small = () => jxlFile({ width, height, data: noise });

test("every pixel and its alpha are read, of a bare codestream and of a container", async () => {
  const bare = await small();
  for (const bytes of [bare, jxlContainer(bare)]) {
    const source = await open(bytes);
    expect(source).toMatchObject({ format: "jxl", width, height, pages: 1, hasAlpha: true, depth: 8, notes: [] });
    expect(Buffer.compare(await source.read().raw().toBuffer(), noise)).toBe(0);
  }
});

test("16 bits stay, with alpha and without", async () => {
  for (const [name, channels] of [
    ["rgb16", 3],
    ["rgba16", 4],
  ] as const) {
    const source = await open(file(name));
    expect(source).toMatchObject({ width: 6, height: 4, depth: 16, hasAlpha: channels === 4 });
    const raw = await source.read().raw({ depth: "ushort" }).toBuffer();
    const at = (x: number, y: number) =>
      Array.from({ length: channels }, (_, c) => raw.readUInt16LE(((y * 6 + x) * channels + c) * 2));
    const alpha = channels === 4 ? [30_000] : [];
    expect(at(5, 1)).toEqual([24_000, 28_000, 65_535 - 24_000, ...alpha]);
  }
  const { result, outcome } = await runOperation(convert, { bytes: file("rgb16"), options: { target_format: "png" } });
  expect((await sharp(result).metadata()).depth).toBe("ushort");
  expect(outcome).toMatchObject({ notes: [] });
});

test("16 bits that a target does not hold are named", async () => {
  const { outcome } = await runOperation(convert, { bytes: file("rgb16"), options: { target_format: "webp" } });
  expect(outcome).toMatchObject({ notes: [{ code: "depth-lost", format: "webp" }] });
});

test("grey stays grey", async () => {
  expect(await open(file("grey"))).toMatchObject({ width: 6, height: 4, isGrey: true, depth: 8 });
});

test("of a moving one the first frame is kept, and it is said", async () => {
  expect(await open(file("moving"))).toMatchObject({
    pages: 3,
    isAnimated: false,
    notes: [{ code: "first-frame-kept", frames: 3 }],
  });
});

test("pixels are counted before they are decoded", async () => {
  await expect(open(await small(), 0.0001)).rejects.toMatchObject({ code: "too-many-pixels" });
  // SizeHeader (ISO/IEC 18181-1): not small, height of 30 bits, width of 30 bits.
  const huge = Buffer.from("ff0afeffffffffffffff", "hex");
  await expect(open(Buffer.concat([huge, Buffer.alloc(64)]))).rejects.toMatchObject({
    code: expect.stringMatching(/^(too-many-pixels|broken-image)$/),
  });
});

test.each([0.02, 0.3, 0.6, 0.99])("one that is cut off at %d of its bytes is broken", async (share) => {
  const bare = await small();
  for (const bytes of [bare, jxlContainer(bare)])
    await expect(open(bytes.subarray(0, bytes.length * share))).rejects.toMatchObject({ code: "broken-image" });
});

test("zeros within the pixels are damage, or change them alone: the engine goes on", async () => {
  const bare = await small();
  for (let at = 8; at < bare.length; at += 97) {
    const damaged = Buffer.from(bare).fill(0, at, at + 40);
    const problem: unknown = await open(damaged).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (problem !== undefined) expect(problem).toMatchObject({ code: expect.stringMatching(/broken-image|too-many/) });
  }
  expect(await open(bare)).toMatchObject({ width });
});

const exif = Buffer.concat([Buffer.alloc(4), Buffer.from("II*\0\x08\0\0\0\0\0\0\0\0\0", "latin1")]);
const xmp = Buffer.from("<x:xmpmeta/>");
const packed = (type: string, body: Uint8Array): [string, Uint8Array] => [
  "brob",
  Buffer.concat([Buffer.from(type), brotliCompressSync(body)]),
];

test("metadata is found in its boxes, compressed or not, and goes", async () => {
  const bare = await small();
  const plain = jxlContainer(bare, [
    ["Exif", exif],
    ["xml ", xmp],
  ]);
  const compressed = jxlContainer(bare, [packed("Exif", exif), packed("xml ", xmp)]);
  for (const bytes of [plain, compressed]) {
    expect(readJxlBlocks(bytes)).toEqual({ exif: exif.subarray(4), xmp });
    expect(await open(bytes)).toMatchObject({ width });
    expect(stripJxl(bytes).bytes).toEqual(jxlContainer(bare));
  }
});

test("a compressed box that unpacks to too much, or is broken, is no metadata", async () => {
  const bomb = jxlContainer(await small(), [packed("xml ", Buffer.alloc(5_000_000))]);
  expect(readJxlBlocks(bomb)).toEqual({});
  const broken = jxlContainer(await small(), [["brob", Buffer.from("xml and no Brotli")]]);
  expect(readJxlBlocks(broken)).toEqual({});
});

test("a gain map and content credentials are found, to be named", async () => {
  const bytes = jxlContainer(await small(), [
    ["jhgm", Buffer.alloc(20)],
    ["jumb", Buffer.from("\0\0\0\x1ejumdc2pa")],
  ]);
  expect([...(await readParts(await openInputFile(await write(bytes)))).keys()]).toEqual(["gainMap", "credentials"]);
});

test("a resized JPEG XL is a PNG where it has alpha", async () => {
  const { outcome } = await runOperation(resize, { bytes: await small(), options: { width: 12, method: "fit" } });
  expect(outcome).toMatchObject({
    result: { format: "png", width: 12, height: 8 },
    notes: [{ code: "format-not-written", from: "jxl", to: "png" }],
  });
});

test("the size is reported before the pixels are decoded", async () => {
  const sizes: number[] = [];
  const path = await write(await small());
  await openSource(path, { ...testLimits, reportMegapixels: (megapixels) => sizes.push(megapixels) });
  expect(sizes[0]).toBeCloseTo((width * height) / 1e6);
});

test("boxes of applications go, whatever they are", async () => {
  const bare = await small();
  const location = Buffer.from("GPS 48.1 N 11.5 E");
  const bytes = jxlContainer(bare, [
    ["uuid", location],
    ["free", location],
    ["zzzz", location],
  ]);
  expect(stripJxl(bytes).bytes).toEqual(jxlContainer(bare));
});
