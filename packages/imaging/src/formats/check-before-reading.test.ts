import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkJpegScans } from "./jpeg/count-scans.ts";
import { openSource } from "./open-source.ts";
import { pngChunk } from "./png/container.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bounds-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(...parts: Uint8Array[]) {
  const path = join(folder, "picture");
  await writeFile(path, Buffer.concat(parts));
  return openSource(path, { megapixelsIn: 25, megapixelsOut: 25 });
}
const many = (count: number, make: (i: number) => Uint8Array): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, i) => make(i)));
const red = () => sharp({ create: { width: 16, height: 16, channels: 3, background: "red" } });

const packedSpaces = deflateSync(Buffer.alloc(7_900_000, 32));
test.each([
  ["zTXt", "\0\0"],
  ["iTXt", "\0\x01\0\0\0"],
])("a PNG whose twenty %s unpack to 8 MB each is refused before they are unpacked", async (type, after) => {
  const png = await red().png().toBuffer();
  const texts = many(20, (i) => pngChunk(type, Buffer.concat([Buffer.from(`x${i}${after}`, "latin1"), packedSpaces])));
  const before = process.memoryUsage().rss;
  await expect(open(png.subarray(0, 33), texts, png.subarray(33))).rejects.toThrow("unpack to more than 8 MB");
  expect(process.memoryUsage().rss - before).toBeLessThan(90e6);
  const few = texts.subarray(0, texts.length / 20);
  await open(png.subarray(0, 33), few, png.subarray(33));
});

test("a PNG of hundreds of thousands of chunks is refused; one of many is read", async () => {
  const png = await red().png().toBuffer();
  const chunks = (count: number) => many(count, () => pngChunk("teSt", Buffer.alloc(0)));
  await expect(open(png.subarray(0, 33), chunks(250_000), png.subarray(33))).rejects.toThrow("chunks");
  await open(png.subarray(0, 33), chunks(20_000), png.subarray(33));
});

/** A page of 8 x 8 grey pixels, which all pages share; `extra` are further tags: tag, type, count, value. */
function tiffPage(next: number, extra: number[][] = []): Buffer {
  const tags = [
    ...[256, 257].map((tag) => [tag, 4, 1, 8]),
    ...[
      [258, 3, 1, 8],
      [259, 3, 1, 1],
      [262, 3, 1, 1],
      [273, 4, 1, 8],
      [277, 3, 1, 1],
      [278, 4, 1, 8],
      [279, 4, 1, 64],
    ],
    ...extra,
  ];
  const page = Buffer.alloc(2 + tags.length * 12 + 4);
  page.writeUInt16LE(tags.length);
  tags.forEach(([tag = 0, type = 0, count = 0, value = 0], i) => {
    page.writeUInt16LE(tag, 2 + i * 12);
    page.writeUInt16LE(type, 4 + i * 12);
    page.writeUInt32LE(count, 6 + i * 12);
    page.writeUInt32LE(value, 10 + i * 12);
  });
  page.writeUInt32LE(next, page.length - 4);
  return page;
}
const tiffHead = Buffer.alloc(72);
tiffHead.write("II*\0\x48", "latin1");
const pageBytes = tiffPage(0).length;
const tiffPages = (count: number, last = 0) =>
  many(count, (i) => tiffPage(i < count - 1 ? tiffHead.length + (i + 1) * pageBytes : last));

test("a TIFF of thousands of pages is refused by its list of them; one of a thousand is read", async () => {
  await expect(open(tiffHead, tiffPages(60_000))).rejects.toThrow("more than 2000 pages");
  expect(await open(tiffHead, tiffPages(1000))).toMatchObject({ pages: 1000, width: 8 });
});

test("a TIFF whose list of pages comes back to itself is broken", async () => {
  for (const count of [1, 2, 3])
    await expect(open(tiffHead, tiffPages(count, tiffHead.length))).rejects.toMatchObject({
      code: "broken-image",
      cause: expect.stringContaining("comes back"),
    });
});

test("a TIFF with thousands of tags, or tags that claim the same bytes, is refused", async () => {
  const tags = (count: number, values: number) => Array.from({ length: count }, (_, i) => [40_000 + i, 1, values, 0]);
  await expect(open(tiffHead, tiffPage(0, tags(3000, 1)))).rejects.toThrow("too many tags");
  await expect(open(tiffHead, tiffPage(0, tags(300, 10_000_000)), Buffer.alloc(10_000_000))).rejects.toMatchObject({
    code: "broken-image",
    cause: "TIFF: tags overlap",
  });
});

test.each([
  ["compressed by JPEG 2000", [259, 3, 1, 34_712]],
  ["compressed by LZMA", [259, 3, 1, 34_925]],
  ["compressed by LERC", [259, 3, 1, 34_887]],
])("a TIFF that is sound and that no decoder reads is refused by name: %s", async (said, tag) => {
  await expect(open(tiffHead, tiffPage(0, [tag]))).rejects.toMatchObject({
    code: "cannot-process",
    message: expect.stringContaining(said),
  });
});

/** A grey progressive JPEG. Each scan after the first takes a few bytes and leaves all coefficients unchanged. */
function jpegOfScans(scans: number): Buffer {
  const side = 4992;
  const blocks = (side / 8) ** 2;
  const segment = (marker: number, ...data: number[]) => Buffer.from([255, marker, 0, data.length + 2, ...data]);
  const oneCode = (kind: number, symbol: number) => segment(0xc4, kind << 4, 1, ...Array<number>(15).fill(0), symbol);
  const scan = (...range: number[]) => segment(0xda, 1, 1, 0, ...range);
  // EOB runs: the code 0, of one bit, and 14 additional bits with the length.
  let bits = "";
  for (let left = blocks; left >= 16_384; left -= Math.min(left, 32_767))
    bits += `0${(Math.min(left, 32_767) - 16_384).toString(2).padStart(14, "0")}`;
  const bytes = (bits.padEnd(Math.ceil(bits.length / 8) * 8, "1").match(/.{8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte, 2);
    return value === 255 ? [255, 0] : [value];
  });
  const refinements = Array.from({ length: 63 * 14 }, (_, i) => {
    const [coefficient, bit] = [1 + Math.floor(i / 14), 13 - (i % 14)];
    return Buffer.concat([scan(coefficient, coefficient, ((bit === 13 ? 0 : bit + 1) << 4) | bit), Buffer.from(bytes)]);
  });
  return Buffer.concat([
    Buffer.from([255, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc2, 8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0),
    ...[oneCode(0, 0), oneCode(1, 0xe0), scan(0, 0, 0), Buffer.alloc(Math.ceil(blocks / 8))],
    ...refinements.slice(0, scans - 1),
    Buffer.from([255, 0xd9]),
  ]);
}

test("a camera's JPEG is checked by its head alone: libvips reads no scan behind one of all components", async () => {
  const noise = { create: { width: 600, height: 400, channels: 3, background: "red", noise: gaussian } } as const;
  const bytes = await sharp(noise).jpeg({ quality: 95 }).toBuffer();
  let furthest = 0;
  await checkJpegScans(async (at, length) => {
    furthest = Math.max(furthest, at + length);
    return bytes.subarray(at, at + length);
  });
  expect(furthest).toBeLessThan(1000);
  const scan = bytes.subarray(bytes.lastIndexOf(Buffer.from([255, 0xda])), -2);
  const source = await open(bytes.subarray(0, -2), ...Array.from({ length: 200 }, () => scan), bytes.subarray(-2));
  expect((await source.read().raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
});

const gaussian = { type: "gaussian", mean: 128, sigma: 60 } as const;

test("a JPEG in hundreds of scans is refused; one in many is read", async () => {
  await expect(open(jpegOfScans(880))).rejects.toThrow("more than 100 scans");
  await open(jpegOfScans(60));
  // Bytes that look like scan headers do not count in an application segment or after EOI.
  const looks = Buffer.alloc(1000, Buffer.from([255, 0xda]));
  const jpeg = await red().jpeg().toBuffer();
  const application = Buffer.concat([Buffer.from([255, 0xe5, 1002 >> 8, 1002 & 255]), looks]);
  await open(jpeg.subarray(0, 2), application, jpeg.subarray(2), looks);
});

test("a WebP of thousands of frames or of unknown parts is refused", async () => {
  const webp = await red().webp().toBuffer();
  const chunk = (type: string, data: Uint8Array) => {
    const head = Buffer.alloc(8);
    head.write(type, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data]);
  };
  const file = (flags: number, ...parts: Uint8Array[]) => {
    const body = Buffer.concat([chunk("VP8X", Buffer.from([flags, 0, 0, 0, 15, 0, 0, 15, 0, 0])), ...parts]);
    const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
    head.writeUInt32LE(body.length + 4, 4);
    return open(head, body);
  };
  const picture = webp.subarray(12);
  const place = Buffer.from([0, 0, 0, 0, 0, 0, 15, 0, 0, 15, 0, 0, 100, 0, 0, 0]);
  const frame = chunk("ANMF", Buffer.concat([place, picture]));
  const start = chunk("ANIM", Buffer.alloc(6));
  await expect(
    file(
      2,
      start,
      many(20_000, () => frame),
    ),
  ).rejects.toMatchObject({ code: "too-many-pixels" });
  await expect(
    file(
      0,
      many(10_000, () => chunk("what", Buffer.alloc(0))),
      picture,
    ),
  ).rejects.toThrow("100 chunks");
  expect(
    await file(
      2,
      start,
      many(50, () => frame),
    ),
  ).toMatchObject({ pages: 50 });
  await file(
    0,
    many(20, () => chunk("what", Buffer.alloc(0))),
    picture,
  );
});
