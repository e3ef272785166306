import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bmpFile } from "../../../codecs/src/testing/bmp-file.ts";
import { checkPixels, maxFrames } from "./limits.ts";
import { openSource } from "./open-source.ts";
import { checkDecodes } from "./source.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limits-"));
});
afterAll(() => rm(folder, { recursive: true }));
async function open(bytes: Uint8Array) {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  return openSource(path, { megapixelsIn: 25, megapixelsOut: 25 });
}

const chunk = (type: string, data: Uint8Array) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
/** A 1-bit PNG whose header claims a size; `extra` precedes the pixels. */
function png({
  width,
  height,
  rows = 1,
  extra = [],
}: {
  width: number;
  height: number;
  rows?: number;
  extra?: Buffer[];
}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    ...extra,
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
/** A real picture whose header is falsified. */
async function lying(format: "jpeg" | "gif", change: (bytes: Buffer) => void) {
  const bytes = await sharp({ create: { width: 16, height: 16, channels: 3, background: "red" } })
    .toFormat(format)
    .toBuffer();
  change(bytes);
  return bytes;
}
const jpegFrame = (bytes: Buffer) =>
  bytes.findIndex((byte, i) => byte === 0xff && [0xc0, 0xc2].includes(bytes[i + 1] ?? 0));

test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
  ["PNG", () => png({ width: 60_000, height: 60_000 })],
  ["JPEG", () => lying("jpeg", (bytes) => bytes.writeUInt32BE(0xea60_ea60, jpegFrame(bytes) + 5))],
  ["GIF", () => lying("gif", (bytes) => bytes.writeUInt32LE(0xea60_ea60, 6))],
  ["BMP", () => bmpFile({ width: 60_000, height: 60_000, bits: 8, compression: 1, body: [0, 1] })],
])("a %s that claims thousands of megapixels is refused by its header", async (_, make) => {
  const before = process.memoryUsage().rss;
  await expect(open(await make())).rejects.toMatchObject({ code: "too-many-pixels" });
  expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
});

test("a moving WebP that claims thousands of megapixels is refused by its header", async () => {
  const frames = ["red", "blue"].map((background) =>
    sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const bytes = await sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer();
  bytes.writeUInt32LE(15_999 | (15_999 << 24), 24); // the canvas size in VP8X: two numbers of 24 bits
  bytes.writeUInt16LE(15_999 >> 8, 28);
  await expect(open(bytes)).rejects.toMatchObject({ code: "too-many-pixels" });
});

test("a TIFF that claims thousands of megapixels is refused by its header", async () => {
  const tags = [
    [256, 60_000],
    [257, 60_000],
    [258, 1],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, 60_000],
    [279, 4],
  ];
  const bytes = Buffer.alloc(14 + tags.length * 12 + 4);
  bytes.write("II*\0\x08\0\0\0", "latin1");
  bytes.writeUInt16LE(tags.length, 8);
  for (const [i, [tag = 0, value = 0]] of tags.entries()) {
    bytes.writeUInt16LE(tag, 10 + i * 12);
    bytes.writeUInt16LE(4, 12 + i * 12);
    bytes.writeUInt32LE(1, 14 + i * 12);
    bytes.writeUInt32LE(value, 18 + i * 12);
  }
  await expect(open(bytes)).rejects.toMatchObject({ code: "too-many-pixels" });
});

test("a header that claims more than the file has, within the limit, is broken", async () => {
  for (const bytes of [
    png({ width: 5000, height: 4000, rows: 1 }),
    await lying("jpeg", (made) => made.writeUInt32BE(0x0f00_0f00, jpegFrame(made) + 5)),
  ])
    await expect(checkDecodes(await open(bytes))).rejects.toMatchObject({ code: "broken-image" });
});

const packedSpaces = deflateSync(Buffer.alloc(100e6, 32));
test.each(["zTXt", "iCCP", "iTXt"])("a PNG whose %s unpacks to 100 megabytes costs nothing like it", async (type) => {
  const head = type === "iTXt" ? "x\0\x01\0\0\0" : "x\0\0";
  const fat = chunk(type, Buffer.concat([Buffer.from(head, "latin1"), packedSpaces]));
  const before = process.memoryUsage().rss;
  const source = await open(png({ width: 16, height: 16, rows: 16, extra: [fat] })).catch(
    (refusal: unknown) => refusal,
  );
  expect(source).toBeTruthy();
  expect(process.memoryUsage().rss - before).toBeLessThan(90e6);
});

test("the frames of an animation count together, up to twice what one picture may have", () => {
  const limits = { megapixelsIn: 200, megapixelsOut: 200 };
  checkPixels({ width: 1024, height: 512, frames: 481 }, limits); // 252 megapixels: a real animation
  expect(() => checkPixels({ width: 1024, height: 512, frames: 1000 }, limits)).toThrow("524.3 megapixels together");
  expect(() => checkPixels({ width: 1, height: 1, frames: maxFrames + 1 }, limits)).toThrow(`${maxFrames + 1} frames`);
  expect(() => checkPixels({ width: 14_143, height: 14_143 }, limits)).toThrow("200.1 megapixels");
  checkPixels({ width: 20_000, height: 10_000 }, limits);
});

test("a GIF of thousands of tiny frames on a large canvas is refused by its header", async () => {
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  const head = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  head.writeUInt16LE(4000, 6);
  head.writeUInt16LE(4000, 8);
  const bytes = Buffer.concat([head, ...Array<Buffer>(2000).fill(frame), Buffer.from([0x3b])]);
  await expect(open(bytes)).rejects.toMatchObject({ code: "too-many-pixels" });
});
