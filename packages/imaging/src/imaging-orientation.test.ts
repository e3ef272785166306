import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pngChunk } from "./formats/png/container.ts";
import { createImaging } from "./imaging.ts";
import type { Task } from "./task.ts";
import { testLimits } from "./testing/run-operation.ts";

const imaging = createImaging();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "orientation-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(bytes: Uint8Array, task: Pick<Task, "name"> & Partial<Task>) {
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, bytes);
  const outcome = await imaging.run(
    { options: {}, inputPath, outputPath, limits: testLimits, ...task },
    { signal: new AbortController().signal, progress: () => {} },
  );
  return { outcome, result: await readFile(outputPath) };
}

const upright = () => sharp({ create: { width: 96, height: 64, channels: 3, background: "#3377aa" } });

/** EXIF with one entry, an orientation of SHORT (3) or LONG (4). */
function exifOf(orientation: number, { type = 3, isLittle = true } = {}): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.write(isLittle ? "II" : "MM", "latin1");
  const [set16, set32] = isLittle
    ? [bytes.writeUInt16LE.bind(bytes), bytes.writeUInt32LE.bind(bytes)]
    : [bytes.writeUInt16BE.bind(bytes), bytes.writeUInt32BE.bind(bytes)];
  set16(42, 2);
  set32(8, 4);
  set16(1, 8);
  set16(274, 10);
  set16(type, 12);
  set32(1, 14);
  if (type === 3) set16(orientation, 18);
  else set32(orientation, 18);
  return bytes;
}

async function jpegWith(...blocks: Buffer[]): Promise<Buffer> {
  const jpeg = await upright().jpeg().toBuffer();
  const segments = blocks.flatMap((exif) => {
    const data = Buffer.concat([Buffer.from("Exif\0\0"), exif]);
    return [Buffer.from([0xff, 0xe1, (data.length + 2) >> 8, (data.length + 2) & 255]), data];
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

const pngWith = async (exif: Buffer) => {
  const png = await upright().png().toBuffer();
  return Buffer.concat([png.subarray(0, 33), pngChunk("eXIf", exif), png.subarray(33)]);
};

/** `isTurned` as in Chromium 156, by natural size. */
const pictures = {
  "JPEG of orientation 6": { isTurned: true, format: "jpeg", make: () => jpegWith(exifOf(6)) },
  "JPEG of orientation 6, big-endian": {
    isTurned: true,
    format: "jpeg",
    make: () => jpegWith(exifOf(6, { isLittle: false })),
  },
  "JPEG whose first EXIF says 1 and second 6": {
    isTurned: false,
    format: "jpeg",
    make: () => jpegWith(exifOf(1), exifOf(6)),
  },
  "JPEG whose first EXIF says 6 and second 1": {
    isTurned: true,
    format: "jpeg",
    make: () => jpegWith(exifOf(6), exifOf(1)),
  },
  "JPEG with a LONG in big-endian": {
    isTurned: false,
    format: "jpeg",
    make: () => jpegWith(exifOf(6, { type: 4, isLittle: false })),
  },
  "JPEG with a LONG in little-endian": {
    isTurned: false,
    format: "jpeg",
    make: () => jpegWith(exifOf(6, { type: 4 })),
  },
  "PNG of orientation 6": { isTurned: true, format: "png", make: () => pngWith(exifOf(6)) },
  "PNG with a LONG": { isTurned: false, format: "png", make: () => pngWith(exifOf(6, { type: 4 })) },
  "WebP of orientation 6": {
    isTurned: false,
    format: "webp",
    make: () => upright().withMetadata({ orientation: 6 }).webp({ quality: 80 }).toBuffer(),
  },
} as const;

const tasks = {
  upload: {},
  "convert to its own format": { metadata: "none" },
  resize: { width: 32, height: 32, method: "fit", metadata: "none" },
  compress: { quality: 60, metadata: "none" },
} as const;

// product: orientation-applied
test.each(Object.keys(pictures) as (keyof typeof pictures)[])(
  "%s: every operation gives the same orientation, that of browsers",
  async (name) => {
    const { isTurned, format, make } = pictures[name];
    const source = await make();
    for (const [task, options] of Object.entries(tasks)) {
      const isConvert = task.startsWith("convert");
      const { outcome, result } = await run(source, {
        name: isConvert ? "convert" : (task as "upload" | "resize" | "compress"),
        options: isConvert ? { ...options, target_format: format } : options,
      });
      expect(outcome.source.width < outcome.source.height, task).toBe(isTurned);
      const { autoOrient } = await sharp(result).metadata();
      expect(autoOrient.width < autoOrient.height, task).toBe(isTurned);
    }
  },
);
