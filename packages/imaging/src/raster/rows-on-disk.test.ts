import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";
import { createResult } from "./result.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rows-"));
});
afterAll(() => rm(folder, { recursive: true }));

const [width, height] = [700, 900];
function noise(channels: 1 | 3 | 4, depth: 8 | 16) {
  const length = width * height * channels;
  const data = depth === 8 ? new Uint8Array(length) : new Uint16Array(length);
  const pixels = data.map((_, i) => (i * 40_503) % (depth === 8 ? 251 : 65_521));
  const space = depth === 8 ? (channels === 1 ? "b-w" : "srgb") : channels === 1 ? "grey16" : "rgb16";
  return { pixels, image: () => sharp(pixels, { raw: { width, height, channels } }).toColourspace(space) };
}

test.each([
  [1, 8],
  [3, 8],
  [4, 8],
  [1, 16],
  [3, 16],
  [4, 16],
] as const)("%i channels of %i bits are the same from disk, in and out, as in memory", async (channels, depth) => {
  const { pixels, image } = noise(channels, depth);
  const picture = { depth, isGrey: channels === 1, hasAlpha: channels === 4 };
  for (const memoryBytes of [0, 2 ** 30]) {
    const temporaryPath = join(folder, `${channels}-${depth}.tif`);
    const rows = await readRows(image(), { picture, sizeBytes: 1e6, temporaryPath, memoryBytes });
    expect([rows.width, rows.height, rows.channels]).toEqual([width, height, channels]);
    const result = createResult({
      width,
      height,
      source: rows,
      temporaryPath: join(folder, "result.tif"),
      memoryBytes,
    });
    for (let y = 0; y < height; y++) result.writeRow(Float32Array.from(rows.readRow(y)), y);
    rows.close();
    const { data } = await result
      .open()
      .raw({ depth: depth === 8 ? "uchar" : "ushort" })
      .toBuffer({ resolveWithObject: true });
    expect(Buffer.compare(data, Buffer.from(pixels.buffer))).toBe(0);
  }
});
