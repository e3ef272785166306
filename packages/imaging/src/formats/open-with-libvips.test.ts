import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tiffHead } from "../raster/tiff-head.ts";
import { openSource } from "./open-source.ts";
import { kindOfPixels } from "./open-with-libvips.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "libvips-"));
});
afterAll(() => rm(folder, { recursive: true }));
async function open(bytes: Uint8Array) {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  return openSource(path, { megapixelsIn: 25, megapixelsOut: 25 });
}

/** A TIFF of four 16-bit grey pixels with changed tags; it has enough bytes for what they then claim. */
function changedTiff(changes: Record<number, number>): Buffer {
  const head = tiffHead({ width: 4, height: 1, channels: 1, depth: 16 });
  for (let at = 10; at < 10 + head.readUInt16LE(8) * 12; at += 12) {
    const value = changes[head.readUInt16LE(at)];
    if (value !== undefined) head.writeUInt16LE(value, at + 8);
  }
  return Buffer.concat([head, Buffer.from(Uint16Array.of(1000, 2000, 3000, 4000).buffer)]);
}

test("16 bit grey is read as it is", async () => {
  const source = await open(changedTiff({}));
  expect(source).toMatchObject({ isGrey: true, depth: 16, hasAlpha: false });
  const data = await source.read().raw({ depth: "ushort" }).toBuffer();
  expect([...new Uint16Array(data.buffer, data.byteOffset, 4)]).toEqual([1000, 2000, 3000, 4000]);
});

test("channels beyond colour are refused", () => {
  const header = { space: "srgb", depth: "uchar", hasProfile: false } as const;
  expect(() => kindOfPixels({ ...header, channels: 5 })).toThrow("5 channels");
  expect(kindOfPixels({ ...header, channels: 4 })).toMatchObject({ depth: 8 });
});

test("an animation is not turned, whatever its EXIF says, and can be read", async () => {
  const frames = ["red", "blue"].map((background) =>
    sharp({ create: { width: 8, height: 4, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const webp = await sharp(await Promise.all(frames), { join: { animated: true } })
    .withMetadata({ orientation: 6 })
    .webp()
    .toBuffer();
  expect((await sharp(webp).metadata()).orientation).toBe(6);
  const source = await open(webp);
  expect(source).toMatchObject({ width: 8, height: 4, pages: 2, isAnimated: true });
  expect((await source.read({ frames: "all" }).raw().toBuffer({ resolveWithObject: true })).info.height).toBe(8);
});
