import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Channels, Raster } from "@tintype/codecs/raster";
import { rowsOf } from "@tintype/codecs/raster";
import { ssimulacra2 } from "@tintype/codecs/score";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawPhoto } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { createImaging } from "../../imaging.ts";
import { sampleRows } from "../../quality/sample.ts";
import type { Outcome, Task } from "../../task.ts";
import { testLimits } from "../../testing/run-operation.ts";
import { addStep } from "../steps.ts";

const imaging = createImaging();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "likeness-"));
});
afterAll(() => rm(folder, { recursive: true }));

const size = { width: 240, height: 160 };
const open = ({ data, width, height, channels }: Raster<Uint8Array>) =>
  sharp(data, { raw: { width, height, channels } });
const photoJpeg = () =>
  open(drawPhoto(size))
    .withExif({ IFD0: { Copyright: "Ann" } })
    .jpeg({ quality: 98, chromaSubsampling: "4:4:4" })
    .toBuffer();
const moving = async (format: "webp" | "gif") => {
  const photo = open(drawPhoto(size));
  const frames = [photo, photo.clone().negate(), photo.clone().flop()].map((one) => one.png().toBuffer());
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .toFormat(format, { loop: 0, delay: [70, 90, 110] })
    .toBuffer();
};

type Options = Partial<{
  quality: number;
  max_bytes: number;
  allow_resize: boolean;
  min_likeness: number;
  measure: boolean;
}>;

async function run(bytes: Uint8Array, options: Options, step: Partial<Task> = {}) {
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, bytes);
  const outcome = await imaging.run(
    {
      name: "compress",
      options: { min_quality: 40, allow_resize: false, metadata: "copyright", ...options },
      ...{ inputPath, outputPath, limits: testLimits, ...step },
    },
    { signal: new AbortController().signal, progress: () => {} },
  );
  if (outcome.kind !== "done") throw new Error("Compress always gives a result");
  return { ...outcome, bytes: await readFile(outputPath) };
}

const framesIn = async (bytes: Uint8Array): Promise<Raster<Uint8Array>[]> => {
  const { data, info } = await sharp(bytes, { animated: true }).raw().toBuffer({ resolveWithObject: true });
  const length = size.width * size.height * info.channels;
  const channels = info.channels as Channels;
  return Array.from({ length: data.length / length }, (_, i) => ({
    ...{ ...size, channels },
    data: data.subarray(i * length, (i + 1) * length),
  }));
};
const leastLikeness = async (original: Uint8Array, result: Uint8Array) => {
  const [before, after] = [await framesIn(original), await framesIn(result)];
  return Math.min(...before.map((frame, i) => ssimulacra2(frame, after[i] ?? frame)));
};

test("a likeness is measured where it is asked for, and nowhere else", async () => {
  const bytes = await photoJpeg();
  const measured = await run(bytes, { quality: 60, measure: true });
  expect(measured.likeness).toBeCloseTo(await leastLikeness(bytes, measured.bytes), 1);
  expect(measured.likeness).toBeLessThan(90);
  expect(await run(bytes, { quality: 60, measure: false })).not.toHaveProperty("likeness");
  expect((await run(bytes, { quality: 60 })).bytes).toEqual(measured.bytes);
});

test.each(["webp", "gif"] as const)("the likeness of a moving %s is that of its worst frame", async (format) => {
  const bytes = await moving(format);
  const measured = await run(bytes, { quality: 20, measure: true });
  expect(measured).not.toHaveProperty("nothingSaved");
  expect(measured.likeness).toBeCloseTo(await leastLikeness(bytes, measured.bytes), 1);
});

test("where equal frames were joined, each frame is measured beside the one that is shown at its time", async () => {
  const photo = open(drawPhoto(size));
  const [one, other] = await Promise.all([photo.clone().png().toBuffer(), photo.clone().negate().png().toBuffer()]);
  const bytes = await sharp([one, one, one, other, one], { join: { animated: true } })
    .gif({ loop: 0, delay: [50, 50, 50, 90, 50], keepDuplicateFrames: true })
    .toBuffer();
  const { likeness, bytes: result } = await run(bytes, { quality: 40, measure: true });
  const [before, after] = [await framesIn(bytes), await framesIn(result)];
  expect([before.length, after.length]).toEqual([5, 3]);
  const shown = [0, 0, 0, 1, 2].map((frame) => after[frame]);
  const least = Math.min(...before.map((frame, i) => ssimulacra2(frame, shown[i] ?? frame)));
  expect(likeness).toBeCloseTo(least, 1);
  expect(await run(bytes, { quality: 40, min_likeness: 1 })).not.toHaveProperty("nothingSaved");
});

test("of the same pixels the likeness is 100, also where they are too few for a score", async () => {
  const png = await open(drawPhoto(size)).png({ compressionLevel: 0 }).toBuffer();
  expect((await run(png, { quality: 100, measure: true })).likeness).toBe(100);
  const tiny = { width: 9, height: 7 };
  const few = await open(drawPhoto(tiny)).png({ compressionLevel: 0 }).toBuffer();
  expect((await run(few, { quality: 100, measure: true })).likeness).toBe(100);
  const grey = await open(drawPhoto(size)).toColourspace("b-w").png({ compressionLevel: 0 }).toBuffer();
  expect((await run(grey, { quality: 100, measure: true })).likeness).toBe(100);
});

test("a result of fewer pixels is measured at the original's size", async () => {
  const bytes = await photoJpeg();
  const limit = { max_bytes: 1500, allow_resize: true, measure: true };
  const { likeness, result } = await run(bytes, limit);
  expect(result.width).toBeLessThan(size.width);
  expect(likeness).toBeLessThan(70);
});

// product: least-likeness
test("the quality is raised until the least likeness is kept", async () => {
  const bytes = await photoJpeg();
  const low = await run(bytes, { quality: 30, measure: true });
  const required = Math.ceil((low.likeness ?? 0) + 15);
  const { likeness, notes, bytes: kept, nothingSaved } = await run(bytes, { quality: 30, min_likeness: required });
  expect(likeness).toBeGreaterThanOrEqual(required);
  expect(likeness).toBeLessThan(required + 6);
  expect(nothingSaved).toBeUndefined();
  expect(kept.length).toBeGreaterThan(low.bytes.length);
  expect(notes).toContainEqual({ code: "quality-raised", quality: expect.any(Number), likeness: required });
  const met = await run(bytes, { quality: 30, min_likeness: Math.floor(low.likeness ?? 0) });
  expect([met.likeness, met.bytes]).toEqual([low.likeness, low.bytes]);
});

test("PNG and WebP keep any likeness by coding without loss", async () => {
  for (const image of [
    open(drawPhoto(size)).png({ compressionLevel: 0 }),
    open(drawPhoto(size)).webp({ lossless: true, effort: 0 }),
  ]) {
    const bytes = await image.toBuffer();
    const { likeness, bytes: kept, nothingSaved } = await run(bytes, { quality: 50, min_likeness: 100 });
    expect([likeness, nothingSaved]).toEqual([100, undefined]);
    expect(kept.length).toBeLessThan(bytes.length);
  }
});

test("where no smaller result keeps the likeness, the original comes back and says why", async () => {
  const bytes = await photoJpeg();
  const { likeness, nothingSaved, notes, result } = await run(bytes, { quality: 60, min_likeness: 99 });
  expect([likeness, nothingSaved]).toEqual([100, true]);
  expect(notes).toContainEqual({ code: "likeness-missed", likeness: 99, best: expect.any(Number) });
  expect(result.sizeBytes).toBeLessThanOrEqual(bytes.length);
});

test("a limit of bytes that costs the likeness gives the original, with its copyright", async () => {
  const bytes = await photoJpeg();
  const limit = { max_bytes: 3000, min_likeness: 80 };
  const { likeness, nothingSaved, notes, bytes: kept } = await run(bytes, limit);
  expect([likeness, nothingSaved]).toEqual([100, true]);
  expect(notes).toContainEqual(expect.objectContaining({ code: "likeness-missed", likeness: 80, maxBytes: 3000 }));
  expect(kept.includes("Ann")).toBe(true);
  expect(await sharp(kept).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
  const roomy = await run(bytes, { ...limit, max_bytes: Math.floor(bytes.length * 0.8) });
  expect(roomy.nothingSaved).toBeUndefined();
  expect(roomy.likeness).toBeGreaterThanOrEqual(80);
});

test("with max_bytes the likeness decides above the asked quality", async () => {
  const bytes = await photoJpeg();
  const most = Math.floor(bytes.length * 0.8);
  const low = await run(bytes, { quality: 40, max_bytes: most, measure: true });
  const required = Math.ceil((low.likeness ?? 0) + 5);
  const kept = await run(bytes, { quality: 40, max_bytes: most, min_likeness: required });
  expect(kept.likeness).toBeGreaterThanOrEqual(required);
  expect(kept.bytes.length).toBeLessThanOrEqual(most);
});

test("a step that got no original refuses what would not keep the likeness", async () => {
  const png = await open(drawPhoto(size)).png().toBuffer();
  const asked = run(png, { quality: 60, min_likeness: 99 }, { standsFor: "jpeg" });
  await expect(asked).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringMatching(/^No result keeps a likeness of 99: the best has [0-9.]+[.]$/),
  });
});

test("of several steps the likeness is that of the last one", () => {
  const facts = { format: "png", width: 9, height: 9, sizeBytes: 9 } as const;
  const done = (likeness?: number): Outcome => ({
    ...{ kind: "done", source: facts, result: facts, notes: [] },
    ...(likeness === undefined ? {} : { likeness }),
  });
  expect(addStep(done(80), done())).not.toHaveProperty("likeness");
  expect(addStep(done(), done(80))).toHaveProperty("likeness", 80);
  const unchanged: Outcome = {
    kind: "unchanged",
    source: facts,
    result: facts,
    notes: [],
    reason: { code: "same-format" },
  };
  expect(addStep(done(80), unchanged)).toHaveProperty("likeness", 80);
});

test("a large picture is sampled from edge to edge, its rows in rising order", () => {
  const [width, height] = [40, 60];
  const data = Uint8Array.from({ length: width * height }, (_, i) => Math.floor(i / width) + (i % width));
  const rows = rowsOf({ width, height, channels: 1, data });
  let last = 0;
  const readRow = (y: number) => {
    expect(y).toBeGreaterThanOrEqual(last);
    last = y;
    return rows.readRow(y);
  };
  const sample = sampleRows({ ...rows, readRow }, { first: 10, height: 50 }, { side: 4, across: 2 });
  expect([sample.width, sample.height]).toEqual([8, 8]);
  expect(Array.from(sample.data.subarray(0, 8))).toEqual([10, 11, 12, 13, 46, 47, 48, 49]);
  expect(Array.from(sample.data.subarray(56))).toEqual([59, 60, 61, 62, 95, 96, 97, 98]);
});
