import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sniffFormat } from "@tintype/codecs/headers";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSource } from "./open-source.ts";
import { pngChunk } from "./png/container.ts";
import { refuseUnread } from "./unread.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "unread-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(bytes: Uint8Array) {
  const path = join(folder, "file");
  await writeFile(path, bytes);
  return openSource(path, { megapixelsIn: 25, megapixelsOut: 25 });
}

test.each([
  ["%!PS-Adobe-3.0\n", "PostScript"],
  ["\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypmjp2", "Motion JPEG 2000"],
  ["\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjpm ", "JPM"],
  ["\x76\x2f\x31\x01\x02\0\0\0", "OpenEXR"],
  ["\0\0\0\x18ftypisom\0\0\0\0isommp41", "video"],
  ["\0\0\0\x18ftypcrx \0\0\0\x01crx isom", "CR3"],
  ["P6 2 2 255\n", "Netpbm"],
  ["<!doctype html><p>", "web page"],
])("%j is refused by its name, and the formats that are read are named", async (start, name) => {
  const bytes = Buffer.from(start, "latin1");
  expect(sniffFormat(bytes)).toBeUndefined();
  const refusal = { code: "not-an-image", detail: expect.stringContaining(name) };
  await expect(open(bytes)).rejects.toMatchObject(refusal);
  expect(refuseUnread(bytes).detail).toContain(
    "JPEG, PNG, WebP, GIF, TIFF, BMP, AVIF, HEIC, SVG, ICO, JPEG XL, PSD, JPEG 2000 or PDF",
  );
});

test("a text is no picture, and an empty file is called empty", () => {
  expect(refuseUnread(Buffer.from("Dear all")).detail).toContain("not an image we can read");
  expect(refuseUnread(new Uint8Array()).detail).toBe("The file is empty.");
});

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } });

test("a PNG for apps is not called damaged", async () => {
  const png = await picture().png().toBuffer();
  const packed = Buffer.concat([png.subarray(0, 8), pngChunk("CgBI", Buffer.of(0x50, 0, 0x20, 6)), png.subarray(8)]);
  await expect(open(packed)).rejects.toMatchObject({ code: "cannot-process", detail: expect.stringContaining("CgBI") });
});

test.each([
  ["of 12 bits", 0xc1, 12, "12 bits"],
  ["without loss", 0xc3, 8, "without loss"],
  ["in a hierarchy", 0xc5, 8, "hierarchy"],
  ["as JPEG-LS", 0xf7, 8, "JPEG-LS"],
])("a JPEG coded %s is not called damaged", async (_, marker, depth, word) => {
  const jpeg = Buffer.from(await picture().jpeg().toBuffer());
  const frame = jpeg.indexOf(Buffer.of(0xff, 0xc0));
  jpeg[frame + 1] = marker;
  jpeg[frame + 4] = depth;
  await expect(open(jpeg)).rejects.toMatchObject({ code: "cannot-process", detail: expect.stringContaining(word) });
});

test.each([{ progressive: true }, { chromaSubsampling: "4:4:4" }])("an ordinary JPEG is read: %o", async (options) => {
  expect(await open(await picture().jpeg(options).toBuffer())).toMatchObject({ width: 8 });
});
