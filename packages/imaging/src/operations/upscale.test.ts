import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { taskOptions } from "@tintype/contract/schemas";
import sharp, { type Sharp } from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createImaging } from "../imaging.ts";
import type { Progress } from "../task.ts";

let folder: string;
const imaging = createImaging();
const limits = { megapixelsIn: 25, megapixelsOut: 25 };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "upscale-"));
});
afterEach(() => rm(folder, { recursive: true }));

type Call = { factor?: 2 | 4 | 8; model?: string; signal?: AbortSignal; progress?: (report: Progress) => void };

async function upscale(file: Sharp | Buffer, { factor = 2, model, signal, progress = () => {} }: Call = {}) {
  const [inputPath, outputPath] = [join(folder, "in"), join(folder, "out")];
  await writeFile(inputPath, Buffer.isBuffer(file) ? file : await file.toBuffer());
  const options = taskOptions.upscale.parse({ scale_factor: String(factor), model });
  const context = { signal: signal ?? new AbortController().signal, progress };
  const outcome = await imaging.run({ name: "upscale", options, inputPath, outputPath, limits }, context);
  if (outcome.kind !== "done") throw new Error("an upscaled picture is never unchanged");
  expect((await readdir(folder)).sort()).toEqual(["in", "out"]);
  return { ...outcome, header: await sharp(outputPath).metadata(), outputPath };
}

/** Smooth waves with a hard edge. Channels: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha. */
function draw(width: number, height: number, channels: 1 | 2 | 3 | 4 = 3): Sharp {
  const data = Buffer.alloc(width * height * channels).map((_, i) => {
    const [x, y, c] = [Math.floor(i / channels) % width, Math.floor(i / channels / width), i % channels];
    if (channels % 2 === 0 && c === channels - 1) return x > width / 2 ? 255 : 0;
    return 120 + 50 * Math.sin(x * 0.5 + c) + 40 * Math.cos(y * 0.3) + (x > y ? 30 : 0);
  });
  return sharp(data, { raw: { width, height, channels } });
}
const decoded = async (path: string) => sharp(path).raw().toBuffer({ resolveWithObject: true });

test.each([2, 4, 8] as const)("a picture comes back %i times as wide and high, in its own format", async (factor) => {
  for (const [width, height] of [
    [31, 17],
    [1, 1],
    [1, 40],
  ] as const) {
    const { result, header, source } = await upscale(draw(width, height).webp({ lossless: true }), { factor });
    expect(source).toMatchObject({ format: "webp", width, height });
    expect(result).toMatchObject({ format: "webp", width: width * factor, height: height * factor });
    expect([header.format, header.width, header.height]).toEqual(["webp", width * factor, height * factor]);
  }
});

const invented = { code: "invented-detail" };

test("an enlargement says that a network drew it, and 8 times that it is 4 times, then 2 times", async () => {
  expect((await upscale(draw(9, 7).png())).notes).toEqual([invented]);
  const { notes } = await upscale(draw(9, 7).png(), { factor: 8 });
  expect(notes).toEqual([invented, { code: "enlarged-twice" }]);
});

test.each([2, 4, 8] as const)(
  "%i times, sharper: more detail, that is gone when the result is reduced again",
  async (factor) => {
    const source = await draw(60, 44).png().toBuffer();
    const energy = async (path: string) => {
      const { data, info } = await sharp(path).greyscale().raw().toBuffer({ resolveWithObject: true });
      return (
        data.reduce((sum, value, i) => sum + Math.abs(value - (data[i + 1] ?? value)), 0) / (info.width * info.height)
      );
    };
    const clean = await energy((await upscale(source, { factor, model: "clean" })).outputPath);
    const { outputPath, header, notes } = await upscale(source, { factor, model: "sharper" });
    expect([header.width, header.height]).toEqual([60 * factor, 44 * factor]);
    expect(notes.slice(0, 2)).toEqual([invented, { code: "sharpened" }]);
    expect(await energy(outputPath)).toBeGreaterThan(clean);
    const reduced = await sharp(outputPath).resize(60, 44, { kernel: "cubic" }).raw().toBuffer();
    const given = await sharp(source).raw().toBuffer();
    const error = reduced.reduce((sum, value, i) => sum + (value - (given[i] as number)) ** 2, 0) / reduced.length;
    expect(10 * Math.log10(255 ** 2 / error)).toBeGreaterThan(36);
  },
);

test("grey stays grey, and alpha stays beside it", async () => {
  const grey = await upscale(draw(20, 16, 1).toColourspace("b-w").png());
  expect([grey.header.space, grey.header.channels, grey.header.hasAlpha]).toEqual(["b-w", 1, false]);
  const withAlpha = await upscale(draw(20, 16, 2).toColourspace("b-w").png());
  expect([withAlpha.header.space, withAlpha.header.hasAlpha]).toEqual(["b-w", true]);
  const { data, info } = await decoded(withAlpha.outputPath);
  const alpha = data.filter((_, i) => i % info.channels === info.channels - 1);
  expect(new Set([alpha[5 * 40 + 3], alpha[5 * 40 + 36]])).toEqual(new Set([0, 255]));
});

test("16 bits and the colour profile stay", async () => {
  const deep = sharp(await draw(24, 20).toColourspace("rgb16").withIccProfile("p3").png().toBuffer());
  const file = await deep.keepIccProfile().toColourspace("rgb16").png().toBuffer();
  const before = await sharp(file).metadata();
  const { header } = await upscale(file);
  expect([header.depth, before.depth]).toEqual(["ushort", "ushort"]);
  expect(header.icc?.equals(before.icc ?? Buffer.of())).toBe(true);
});

test("colours under transparency leave no fringe, and edges of alpha no rim", async () => {
  const [width, height] = [48, 40];
  const data = Buffer.alloc(width * height * 4);
  for (let i = 0; i < width * height; i += 1) {
    const isInside = Math.hypot((i % width) - 22, Math.floor(i / width) - 19) < 13;
    data.set(isInside ? [210, 40, 60, 255] : [0, 255, 0, 0], i * 4);
  }
  for (const factor of [2, 4] as const) {
    const { outputPath } = await upscale(sharp(data, { raw: { width, height, channels: 4 } }).png(), { factor });
    const enlarged = (await decoded(outputPath)).data;
    let soft = 0;
    for (let i = 0; i < enlarged.length; i += 4) {
      const [r = 0, g = 0, b = 0, alpha = 0] = enlarged.subarray(i, i + 4);
      if (alpha > 0) expect(Math.max(Math.abs(r - 210), Math.abs(g - 40), Math.abs(b - 60))).toBeLessThanOrEqual(2);
      else expect([r, g, b]).toEqual([0, 0, 0]);
      if (alpha > 0 && alpha < 255) soft += 1;
    }
    // Along the circle's outline, the edge must be neither jagged (no intermediate pixels) nor blurred (many of them).
    const outline = 2 * Math.PI * 13 * factor;
    expect(soft).toBeGreaterThan(outline * 0.7);
    expect(soft).toBeLessThan(outline * factor * 2);
  }
});

test("a picture that lies on its side is upright in the result", async () => {
  const { result, header, outputPath } = await upscale(
    draw(40, 24).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }),
  );
  expect([result.width, result.height, header.orientation]).toEqual([48, 80, undefined]);
  const upright = await sharp(join(folder, "in")).autoOrient().resize(48, 80).raw().toBuffer();
  const { data } = await decoded(outputPath);
  const gap = data.reduce((sum, value, i) => sum + Math.abs(value - (upright[i] ?? 0)), 0) / data.length;
  expect(gap).toBeLessThan(8);
});

// product: animation-kept
test("an animation is refused with a sentence", async () => {
  const strip = sharp(await draw(10, 20).raw().toBuffer(), {
    raw: { width: 10, height: 20, channels: 3, pageHeight: 10 },
  });
  await expect(upscale(strip.gif({ delay: [100, 100] }))).rejects.toMatchObject({
    code: "cannot-process",
    detail: "Animated images cannot be upscaled. Send a single frame.",
  });
});

test("too many pixels are refused by the header alone, with the factor that would fit", async () => {
  const file = await sharp({ create: { width: 1500, height: 1200, channels: 3, background: "#777" } })
    .png()
    .toBuffer();
  file.fill(0, file.indexOf("IDAT") + 4, file.length - 16); // the pixels cannot be decoded
  await expect(upscale(file, { factor: 8 })).rejects.toMatchObject({
    code: "too-many-pixels",
    detail: expect.stringContaining("Enlarging it 2 times would fit."),
  });
});

test("pixels that cannot be decoded are a broken picture", async () => {
  const file = await draw(60, 50).png().toBuffer();
  await expect(upscale(file.fill(0, 200, 400))).rejects.toMatchObject({ code: "broken-image" });
  expect(await readdir(folder)).toEqual(["in"]);
});

test("the model is picked by what the file shows, and a note says so; who names one gets it", async () => {
  const noted = { code: "compression-repaired" };
  expect((await upscale(draw(12, 9).jpeg({ quality: 30 }), { model: "auto" })).notes).toEqual([invented, noted]);
  expect((await upscale(draw(12, 9).png(), { model: "auto" })).notes).toEqual([invented]);
  expect((await upscale(draw(12, 9).jpeg({ quality: 30 }), { model: "clean" })).notes).toEqual([invented]);
  expect((await upscale(draw(12, 9).png(), { model: "compressed" })).notes).toEqual([invented]);
});

test("progress rises to the end", async () => {
  const reports: Progress[] = [];
  await upscale(draw(30, 20).png(), { factor: 8, progress: (report) => reports.push(report) });
  const fractions = reports.map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(reports.map(({ stage }) => stage)).toContain("writing-image");
});

test("cancelling stops the work and leaves nothing behind", async () => {
  const abort = new AbortController();
  const run = upscale(draw(30, 20).png(), { signal: abort.signal, progress: () => abort.abort() });
  await expect(run).rejects.toThrow("aborted");
  expect(await readdir(folder)).toEqual(["in"]);
});

test("a drawing is drawn at the larger size: its edges are as sharp as before, and no network is asked", async () => {
  const svg = (side: number) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 24 24"><path d="M12 2 22 22H2z" fill="#c00"/></svg>`,
    );
  const { result, notes, outputPath } = await upscale(svg(24), { factor: 8 });
  expect(result).toMatchObject({ format: "png", width: 192, height: 192 });
  const { data } = await decoded(outputPath);
  expect(data.equals(await sharp(svg(192)).raw().toBuffer())).toBe(true);
  expect(notes).not.toContainEqual(invented);
  expect(notes).toContainEqual({ code: "drawn-by-lines" });
});
