import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskOptions } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createImaging } from "../imaging.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "resize-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Options = Partial<TaskOptions<"resize">>;
type Running = { megapixelsOut?: number; signal?: AbortSignal };

async function run(input: Uint8Array, options: Options, { megapixelsOut = 200, signal }: Running = {}) {
  const inputPath = join(folder, "input");
  const outputPath = join(folder, "output");
  await writeFile(inputPath, input);
  const reports: number[] = [];
  const outcome = await createImaging().run(
    {
      name: "resize",
      options: { method: "fill", ...options },
      inputPath,
      outputPath,
      limits: { megapixelsIn: 200, megapixelsOut },
    },
    { signal: signal ?? new AbortController().signal, progress: ({ fraction }) => reports.push(fraction) },
  );
  if (outcome.kind !== "done") throw new Error("resize always does something");
  return { outcome, reports, bytes: await readFile(outputPath) };
}

/** `at` returns the channels of each pixel. */
function picture(width: number, height: number, at: (x: number, y: number) => number[]): Sharp {
  const pixels = Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width)));
  const channels = (pixels[0] ?? []).length as 1 | 2 | 3 | 4;
  return sharp(Uint8Array.from(pixels.flat()), { raw: { width, height, channels } });
}
const gradient = (width: number, height: number) =>
  picture(width, height, (x, y) => [(x * 255) / width, (y * 255) / height, 90]);
const raw = (bytes: Uint8Array, options = {}) => sharp(bytes, options).raw().toBuffer({ resolveWithObject: true });

test.each([
  { options: { width: 40, height: 40, method: "fit" }, size: [40, 30] },
  { options: { width: 40, height: 40, method: "fill" }, size: [40, 40] },
  { options: { width: 40, height: 41, method: "stretch" }, size: [40, 41] },
  { options: { width: 160 }, size: [160, 120] },
  { options: { height: 6 }, size: [8, 6] },
  { options: { width: 200, height: 20, method: "stretch" }, size: [200, 20] },
] as const)("80 x 60 by $options is $size, in its own format", async ({ options, size }) => {
  const { outcome, bytes, reports } = await run(await gradient(80, 60).jpeg().toBuffer(), options);
  const { width, height, format } = await sharp(bytes).metadata();
  expect([width, height, format]).toEqual([...size, "jpeg"]);
  expect(outcome.result).toMatchObject({ width, height, format: "jpeg", sizeBytes: bytes.length });
  expect(outcome.source).toMatchObject({ width: 80, height: 60, format: "jpeg" });
  expect(reports).toEqual(reports.toSorted((a, b) => a - b));
});

test("fill shows the centre", async () => {
  const striped = await picture(90, 30, (x) => (x < 30 ? [255, 0, 0] : x < 60 ? [0, 255, 0] : [0, 0, 255]))
    .png()
    .toBuffer();
  const { data } = await raw((await run(striped, { width: 20, height: 20 })).bytes);
  expect([...data.subarray(10 * 60 + 30, 10 * 60 + 33)]).toEqual([0, 255, 0]);
  const mean = data.reduce((sum, value, i) => sum + (i % 3 === 1 ? value : 0), 0) / 400;
  expect(mean).toBeGreaterThan(250);
});

// product: orientation-applied
test("a picture turned by EXIF comes out upright at the size that was asked for, nothing mirrored", async () => {
  const upright = picture(40, 60, (x, y) => [x < 20 ? 220 : 20, y < 30 ? 220 : 20, 128]);
  const lying = await sharp(await upright.png().toBuffer())
    .rotate(-90)
    .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const { bytes } = await run(lying, { width: 20, height: 90, method: "stretch" });
  const { data, info } = await raw(bytes);
  expect([info.width, info.height]).toEqual([20, 90]);
  const at = (x: number, y: number) =>
    [...data.subarray((y * 20 + x) * 3, (y * 20 + x) * 3 + 2)].map((value) => value > 128);
  expect([at(4, 10), at(15, 10), at(4, 80), at(15, 80)]).toEqual([
    [true, true],
    [false, true],
    [true, false],
    [false, false],
  ]);
  expect((await sharp(bytes).metadata()).orientation ?? 1).toBe(1);
});

test("16 bits stay 16, and neighbours keep their order", async () => {
  const ramp = Uint16Array.from({ length: 64 * 4 * 3 }, (_, i) => 30_000 + 20 * (Math.floor(i / 3) % 64));
  const input = await sharp(ramp, { raw: { width: 64, height: 4, channels: 3 } })
    .toColourspace("rgb16")
    .png()
    .toBuffer();
  for (const width of [32, 96]) {
    const { bytes } = await run(input, { width });
    expect((await sharp(bytes).metadata()).depth).toBe("ushort");
    const { data } = await sharp(bytes)
      .toColourspace("rgb16")
      .raw({ depth: "ushort" })
      .toBuffer({ resolveWithObject: true });
    const row = [...new Uint16Array(new Uint8Array(data).buffer)].slice(0, width * 3).filter((_, i) => i % 3 === 0);
    expect(row).toEqual(row.toSorted((a, b) => a - b));
    expect(new Set(row).size).toBeGreaterThan(width * 0.9);
  }
});

test("grey stays grey, with and without alpha, and a palette becomes true colour", async () => {
  const grey = await picture(40, 40, (x) => [x * 6])
    .toColourspace("b-w")
    .jpeg()
    .toBuffer();
  expect(await sharp((await run(grey, { width: 20 })).bytes).metadata()).toMatchObject({ channels: 1, format: "jpeg" });
  const greyAlpha = await picture(40, 40, (x, y) => [x * 6, y * 6])
    .toColourspace("b-w")
    .png()
    .toBuffer();
  for (const width of [20, 60])
    expect(await sharp((await run(greyAlpha, { width })).bytes).metadata()).toMatchObject({
      channels: 2,
      hasAlpha: true,
    });
  const palette = await gradient(64, 64).png({ palette: true, colours: 4 }).toBuffer();
  const { data } = await raw((await run(palette, { width: 48 })).bytes);
  expect(new Set(data).size).toBeGreaterThan(20);
});

test("a colour profile is kept, and the pixels stay in it", async () => {
  for (const width of [16, 50]) {
    const input = await picture(32, 32, () => [200, 60, 40])
      .withIccProfile("p3")
      .png()
      .toBuffer();
    const before = await raw(await sharp(input).keepIccProfile().png().toBuffer(), { ignoreIcc: true });
    const { bytes } = await run(input, { width });
    expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(input).metadata()).icc);
    const { data } = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([...before.data.subarray(0, 3)]);
  }
});

test("an animation loses its colour profile, and says so", async () => {
  const frames = [200, 90].map((red) =>
    sharp({ create: { width: 32, height: 24, channels: 3, background: { r: red, g: 60, b: 40 } } })
      .png()
      .toBuffer(),
  );
  const moving = await sharp(await Promise.all(frames), { join: { animated: true } })
    .withIccProfile("p3")
    .webp({ loop: 0, delay: [80, 80] })
    .toBuffer();
  expect((await sharp(moving).metadata()).icc).toBeDefined();
  const { outcome } = await run(moving, { width: 16 });
  expect(outcome.notes).toEqual([{ code: "animation-colours-converted" }]);
});

test("CMYK becomes sRGB", async () => {
  const { bytes } = await run(await gradient(60, 60).toColourspace("cmyk").jpeg().toBuffer(), { width: 30 });
  expect(await sharp(bytes).metadata()).toMatchObject({ space: "srgb", channels: 3 });
});

test("transparency leaves no fringe, smaller, larger and mixed", async () => {
  const input = await picture(40, 40, (x, y) =>
    (x - 20) ** 2 + (y - 20) ** 2 < 150 ? [240, 200, 20, 255] : [0, 0, 0, 0],
  )
    .png()
    .toBuffer();
  for (const [width, height] of [
    [13, 17],
    [90, 70],
    [17, 99],
  ] as const) {
    const { data } = await raw((await run(input, { width, height, method: "stretch" })).bytes);
    let seen = 0;
    for (let i = 0; i < data.length; i += 4)
      if ((data[i + 3] ?? 0) > 25) {
        seen += 1;
        expect(
          Math.abs((data[i] ?? 0) - 240) + Math.abs((data[i + 1] ?? 0) - 200) + Math.abs((data[i + 2] ?? 0) - 20),
        ).toBeLessThanOrEqual(4);
      }
    expect(seen).toBeGreaterThan(20);
  }
});

test("a smaller picture keeps its light, a larger one does not move", async () => {
  const board = await picture(64, 64, (x, y) => [((x + y) % 2) * 255])
    .png()
    .toBuffer();
  const small = await raw((await run(board, { width: 16 })).bytes);
  expect(Math.abs((small.data[8 * 16 * small.info.channels + 8 * small.info.channels] ?? 0) - 188)).toBeLessThanOrEqual(
    1,
  );
  const spot = await picture(32, 32, (x, y) => [255 * Math.exp(-((x - 12) ** 2 + (y - 19) ** 2) / 12)])
    .png()
    .toBuffer();
  const { data, info } = await raw((await run(spot, { width: 96 })).bytes);
  let [sum, across, down] = [0, 0, 0];
  for (let i = 0; i < info.width * info.height; i++) {
    const value = data[i * info.channels] ?? 0;
    sum += value;
    across += value * ((i % 96) + 0.5);
    down += value * (Math.floor(i / 96) + 0.5);
  }
  expect(Math.abs(across / sum - 12.5 * 3)).toBeLessThan(0.05);
  expect(Math.abs(down / sum - 19.5 * 3)).toBeLessThan(0.05);
});

test.each(["gif", "webp"] as const)(
  "an animated %s keeps its frames, delays and loops, and no frame shows in the next",
  async (format) => {
    const levels = [0, 255, 0, 255, 128];
    const strip = await picture(24, 20 * levels.length, (x, y) =>
      x < 4 ? [200, 30, 30] : Array(3).fill(levels[Math.floor(y / 20)] ?? 0),
    )
      .raw()
      .toBuffer();
    const moving = sharp(strip, { raw: { width: 24, height: 20 * levels.length, channels: 3, pageHeight: 20 } });
    const timing = { delay: [100, 200, 300, 400, 70], loop: 3 };
    const input = await (format === "gif"
      ? moving.gif({ ...timing, dither: 0 })
      : moving.webp({ ...timing, lossless: true })
    ).toBuffer();
    for (const [width, height] of [
      [12, 10],
      [36, 30],
      [36, 7],
    ] as const) {
      const { bytes, outcome } = await run(input, { width, height, method: "stretch" });
      expect(outcome.result).toMatchObject({ width, height, format });
      expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({
        ...timing,
        pages: 5,
        pageHeight: height,
        width,
      });
      const { data, info } = await raw(bytes, { animated: true });
      for (const [frame, level] of levels.entries())
        for (const y of [0, height - 1]) {
          const value = data[((frame * height + y) * width + width - 2) * info.channels] ?? Number.NaN;
          expect(Math.abs(value - level)).toBeLessThanOrEqual(4);
        }
    }
  },
);

test("an SVG is drawn at its new size, as PNG, and its edges are sharp", async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="10" height="10" fill="#ff0000"/></svg>';
  const { bytes, outcome } = await run(Buffer.from(svg), { width: 640 });
  expect(outcome.result).toMatchObject({ format: "png", width: 640, height: 320 });
  expect(outcome.notes).toContainEqual({ code: "format-not-written", from: "svg", to: "png" });
  const { data } = await raw(bytes);
  const alpha = Array.from({ length: 640 }, (_, x) => data[(160 * 640 + x) * 4 + 3] ?? 0);
  expect(alpha.filter((value) => value > 0 && value < 255).length).toBeLessThanOrEqual(2);
  const filled = await run(Buffer.from(svg), { width: 30, height: 30 });
  expect(filled.outcome.result).toMatchObject({ width: 30, height: 30 });
});

test("a result above the limits is refused with a sentence, before a pixel is decoded", async () => {
  const whole = await gradient(300, 200).jpeg({ progressive: true }).toBuffer();
  const cut = whole.subarray(0, Math.floor(whole.length / 3));
  await expect(run(cut, { width: 2000, height: 2000 }, { megapixelsOut: 3 })).rejects.toMatchObject({
    code: "too-many-pixels",
    detail: "The result would have 4.0 megapixels; your plan allows 3.",
  });
  await expect(run(cut, { height: 16_000 })).rejects.toMatchObject({
    code: "cannot-process",
    detail: "The result would be 24000 x 16000 pixels; a side can have up to 16,384.",
  });
});

test("a broken picture is called broken, and nothing is left behind", async () => {
  const before = await readdir(folder);
  const noise = (x: number, y: number) => [(x * x * 7 + y * y * 13) % 251, 128];
  const wholes = [
    await gradient(300, 200).jpeg().toBuffer(),
    await picture(300, 200, noise).toColourspace("b-w").png().toBuffer(),
  ];
  for (const whole of wholes)
    for (const width of [100, 600])
      await expect(run(whole.subarray(0, whole.length / 2), { width })).rejects.toMatchObject({ code: "broken-image" });
  expect((await readdir(folder)).filter((name) => !before.includes(name) && name !== "input")).toEqual([]);
});

test("cancelling ends it", async () => {
  const abort = new AbortController();
  abort.abort();
  const input = await gradient(300, 200).png().toBuffer();
  await expect(run(input, { width: 900 }, { signal: abort.signal })).rejects.toThrow("abort");
});

test("a small picture stays as it is inside a larger box, and says so, unless enlarge is asked for", async () => {
  const small = await gradient(80, 60).png().toBuffer();
  const box = { width: 160, height: 160, method: "fit" } as const;
  const kept = await run(small, box);
  expect(kept.outcome).toMatchObject({
    result: { width: 80, height: 60 },
    notes: [{ code: "not-enlarged", width: 80, height: 60 }],
  });
  const [{ data: before }, { data: after }] = await Promise.all([raw(small), raw(kept.bytes)]);
  expect(after.equals(before)).toBe(true);
  expect((await run(small, { ...box, enlarge: true })).outcome).toMatchObject({
    result: { width: 160, height: 120 },
    notes: [],
  });
  expect((await run(small, { ...box, method: "fill", enlarge: false })).outcome.result).toMatchObject({
    width: 60,
    height: 60,
  });
});

test("the result has the format and the quality that are asked for, and a GIF keeps moving as WebP", async () => {
  const photo = await gradient(200, 150).jpeg({ quality: 95 }).toBuffer();
  const sizes = [];
  for (const quality of [30, 90]) {
    const { outcome, bytes } = await run(photo, { width: 100, target_format: "webp", quality });
    expect([outcome.result.format, (await sharp(bytes).metadata()).format]).toEqual(["webp", "webp"]);
    sizes.push(bytes.length);
  }
  expect(sizes[0]).toBeLessThan(sizes[1] ?? 0);
  const strip = Buffer.alloc(40 * 90 * 3, 200).fill(20, 40 * 30 * 3, 40 * 60 * 3);
  const moving = await sharp(strip, { raw: { width: 40, height: 90, channels: 3, pageHeight: 30 } })
    .gif()
    .toBuffer();
  const webp = await run(moving, { width: 20, target_format: "webp" });
  expect((await sharp(webp.bytes, { pages: -1 }).metadata()).pages).toBe(3);
  const still = await run(moving, { width: 20, target_format: "jpeg" });
  expect(await sharp(still.bytes).metadata()).toMatchObject({ format: "jpeg", width: 20, height: 15 });
  expect(still.outcome.notes).toContainEqual({ code: "animation-lost", frames: 3, format: "jpeg" });
});
