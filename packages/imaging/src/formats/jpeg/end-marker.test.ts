import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endOfImage, markers, writeSegment } from "@tintype/codecs/jpeg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compress } from "../../operations/compress.ts";
import { upload } from "../../operations/upload.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { openSource } from "../open-source.ts";
import { checkDecodes } from "../source.ts";
import { lacksScanData } from "./scan-data.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "jpeg-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(bytes: Uint8Array) {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  await checkDecodes(await openSource(path, { megapixelsIn: 25, megapixelsOut: 25 }));
}

const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, i) => (i * i) % 253));
const jpeg = (progressive: boolean) =>
  sharp(noise, { raw: { width: 64, height: 48, channels: 3 } })
    .jpeg({ quality: 80, progressive })
    .toBuffer();

test.each([false, true])(
  "a JPEG that lacks nothing but its end marker is read (progressive: %s)",
  async (progressive) => {
    const whole = await jpeg(progressive);
    await check(whole.subarray(0, -2));
    await check(whole.subarray(0, -1)); // half of the marker
    const { result } = await runOperation(upload, { bytes: whole.subarray(0, -2) });
    expect([...result.subarray(-2)]).toEqual([0xff, 0xd9]);
    const compressed = await runOperation(compress, { bytes: whole.subarray(0, -2), options: { min_quality: 20 } });
    await check(compressed.result);
  },
);

test.each([false, true])("a JPEG that is cut within its pixels is refused (progressive: %s)", async (progressive) => {
  const whole = await jpeg(progressive);
  const cuts = [0.98, 0.9, 0.7, 0.5, 0.3].map((share) => Math.floor(whole.length * share));
  for (const length of cuts)
    await expect(check(whole.subarray(0, length))).rejects.toMatchObject({ code: "broken-image" });
});

const shapes = [
  { chromaSubsampling: "4:4:4" },
  { chromaSubsampling: "4:2:0" },
  { chromaSubsampling: "4:4:4", progressive: true },
  { chromaSubsampling: "4:4:4", isGrey: true },
];

test.each(shapes)(
  "a JPEG that is cut within its last row of blocks is refused (%o)",
  async ({ isGrey = false, ...options }) => {
    const size = { width: 256, height: 40 };
    const pixels = Buffer.from(Array.from({ length: size.width * size.height * 3 }, (_, i) => (i * i) % 253));
    const picture = sharp(pixels, { raw: { ...size, channels: 3 } });
    const whole = await (isGrey ? picture.toColourspace("b-w") : picture).jpeg({ quality: 90, ...options }).toBuffer();
    await check(whole);
    for (const bytes of [3, 10, 50, 200, 700]) {
      const cut = whole.subarray(0, -bytes);
      await expect(check(cut)).rejects.toMatchObject({ code: "broken-image" });
      await expect(check(Buffer.concat([cut, endOfImage]))).rejects.toMatchObject({ code: "broken-image" });
    }
  },
);

/** A grey picture of 64 blocks: with the tables of Annex K each is 00 (no DC difference) and 1010 (EOB). */
async function greyJpeg(restartInterval: number): Promise<Buffer> {
  const coded = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#808080" } })
    .toColourspace("b-w")
    .jpeg({ optimiseCoding: false })
    .toBuffer();
  const scan = coded.indexOf("ffda", 0, "hex");
  const parts: Uint8Array[] = [coded.subarray(0, scan)];
  if (restartInterval > 0) parts.push(writeSegment(markers.dri, [0, restartInterval]));
  parts.push(coded.subarray(scan, scan + 10));
  for (let done = 0; done < 64; done += restartInterval || 64) {
    if (done > 0) parts.push(Uint8Array.of(0xff, markers.rst0 + ((done / restartInterval - 1) & 7)));
    const bits = "001010".repeat(Math.min(64 - done, restartInterval || 64));
    for (let at = 0; at < bits.length; at += 8)
      parts.push(Uint8Array.of(Number.parseInt(bits.slice(at, at + 8).padEnd(8, "1"), 2)));
  }
  return Buffer.concat([...parts, endOfImage]);
}

test.each([0, 3, 8])("every cut of a plain JPEG is noticed (restart interval: %i)", async (restartInterval) => {
  const whole = await greyJpeg(restartInterval);
  await check(whole);
  expect(lacksScanData(whole, { readsAll: false })).toBe(false);
  expect(lacksScanData(whole, { readsAll: true })).toBe(false);
  for (let length = whole.indexOf("ffda", 0, "hex") + 10; length < whole.length - 2; length++) {
    const cut = Buffer.concat([whole.subarray(0, length), endOfImage]);
    expect(lacksScanData(cut, { readsAll: true })).toBe(true);
    await expect(check(cut)).rejects.toMatchObject({ code: "broken-image" });
  }
});

test("a JPEG of high MCUs without smaller chroma is refused if it is cut", async () => {
  const coded = await sharp({ create: { width: 64, height: 40, channels: 3, background: "#808080" } })
    .jpeg({ optimiseCoding: false, chromaSubsampling: "4:4:4" })
    .toBuffer();
  const frame = coded.indexOf("ffc0", 0, "hex");
  for (const at of [11, 14, 17]) coded[frame + at] = 0x12; // Hi and Vi
  const scan = coded.indexOf("ffda", 0, "hex") + 14;
  // 24 MCUs of two blocks of each component, without DC difference and with EOB
  const bits = `${"001010".repeat(2)}${"0000".repeat(4)}`.repeat(24);
  const data = Array.from({ length: bits.length / 8 }, (_, i) => Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2));
  const file = (length: number) =>
    Buffer.concat([coded.subarray(0, scan), Uint8Array.from(data.slice(0, length)), endOfImage]);
  await check(file(data.length));
  for (const missing of [1, 7, 14, 27])
    await expect(check(file(data.length - missing))).rejects.toMatchObject({ code: "broken-image" });
});

test("a progressive JPEG whose last scans are missing is refused", async () => {
  const whole = await jpeg(true);
  const scans: number[] = [];
  for (let at = whole.indexOf("ffda", 0, "hex"); at >= 0; at = whole.indexOf("ffda", at + 1, "hex")) scans.push(at);
  expect(scans.length).toBeGreaterThan(3);
  for (const at of scans.slice(1))
    await expect(check(whole.subarray(0, at))).rejects.toMatchObject({ code: "broken-image" });
});
