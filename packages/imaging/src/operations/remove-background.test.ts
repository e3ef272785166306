import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskOptions } from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createImaging } from "../imaging.ts";
import type { ModelsConfig } from "../model/config.ts";
import type { Progress, Task } from "../task.ts";
import { writePixelModel } from "../testing/onnx-model.ts";

// The model is a stand-in that separates red from everything else; all the rest is the product's own code.
const side = 256;
let folder: string;
let models: ModelsConfig;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "removing-"));
  const path = join(folder, "red.onnx");
  // Inputs are (v - 128) / 256: red (230, 30, 30) gives 1, and any grey gives 0.
  await writePixelModel(path, {
    weights: [[1.4, -0.7, -0.7]],
    bias: [0],
    activation: "Clip",
    height: side,
    width: side,
  });
  const size = { kind: "fixed", heightPx: side, widthPx: side } as const;
  const input = { name: "input", size, mean: [128, 128, 128], deviation: [256, 256, 256] } as const;
  models = { overrides: { background: { source: { kind: "file", path }, input, memoryMb: 50 } } };
});
afterAll(() => rm(folder, { recursive: true }));

let work: string;
beforeEach(async () => {
  work = await mkdtemp(join(folder, "task-"));
});

type Asked = Partial<Record<keyof TaskOptions<"remove-background">, string>>;
type Running = {
  backgroundPath?: string;
  config?: ModelsConfig;
  signal?: AbortSignal;
  progress?: (p: Progress) => void;
  keepsCandidates?: boolean;
};

async function remove(picture: Uint8Array, asked: Asked = {}, running: Running = {}) {
  const [inputPath, outputPath] = [join(work, "in"), join(work, "out")];
  await writeFile(inputPath, picture);
  const task: Task = {
    name: "remove-background",
    options: taskOptions["remove-background"].parse(asked),
    inputPath,
    outputPath,
    limits: { megapixelsIn: 10, megapixelsOut: 10 },
    ...(running.backgroundPath ? { auxiliaryPaths: { background: running.backgroundPath } } : {}),
    ...(running.keepsCandidates
      ? { candidatePaths: { mattes: join(work, "mattes"), sheet: join(work, "sheet") } }
      : {}),
  };
  const { signal = new AbortController().signal, progress = () => {} } = running;
  const outcome = await createImaging({ models: running.config ?? models }).run(task, { signal, progress });
  if (outcome.kind !== "done") throw new Error("nothing was done");
  return { ...outcome, picture: await readFile(outputPath) };
}

const svg = (body: string, width = 400, height = 300) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#ddd"/>${body}</svg>`,
  );
const disc = svg('<circle cx="260" cy="150" r="60" fill="#e61e1e"/>');
const png = (drawing: Buffer) => sharp(drawing).removeAlpha().png().toBuffer();
const pixels = async (picture: Uint8Array) =>
  sharp(picture).raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
async function pixelAt(picture: Uint8Array, x: number, y: number) {
  const { data, info } = await pixels(picture);
  return [...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels)];
}

// product: cut-out-png
test("the subject comes back at full resolution on nothing, its edge without the old background", async () => {
  const { result, source, picture, confidence } = await remove(await png(disc));
  expect(source).toMatchObject({ format: "png", width: 400, height: 300 });
  expect(result).toMatchObject({ format: "png", width: 400, height: 300, sizeBytes: picture.length });
  expect(await pixelAt(picture, 260, 150)).toEqual([230, 30, 30, 255]);
  expect(await pixelAt(picture, 20, 20)).toEqual([0, 0, 0, 0]);
  expect(confidence).toBeGreaterThan(0.9);
  const { data } = await pixels(picture);
  let mixed = 0;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    if (alpha < 40 || alpha > 250) continue;
    mixed += 1;
    // Residual grey (221) would add green and blue.
    expect(data[at + 1]).toBeLessThan(90);
  }
  expect(mixed).toBeGreaterThan(100);
  expect((await readdir(work)).sort()).toEqual(["in", "out"]);
});

test("EXIF stands the result upright, a profile is kept, and so are 16 bits, or else their loss is named", async () => {
  const turned = await sharp(disc).removeAlpha().jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer();
  const upright = await remove(turned);
  expect(upright.result).toMatchObject({ width: 300, height: 400 });
  expect((await pixelAt(upright.picture, 150, 260))[3]).toBe(255);

  const p3 = await sharp(disc).removeAlpha().withIccProfile("p3").png().toBuffer();
  const kept = await sharp((await remove(p3)).picture).metadata();
  expect(kept.icc?.equals((await sharp(p3).metadata()).icc ?? Buffer.alloc(0))).toBe(true);

  const deep = await sharp(disc).removeAlpha().toColourspace("rgb16").png().toBuffer();
  expect(await sharp((await remove(deep)).picture).metadata()).toMatchObject({ depth: "ushort", hasAlpha: true });

  expect((await remove(deep)).notes).toEqual([]);
  expect((await remove(p3, { target_format: "bmp" })).notes).toEqual([{ code: "profile-lost", format: "bmp" }]);
  expect((await remove(deep, { target_format: "jpeg" })).notes).toEqual([
    { code: "depth-lost", format: "jpeg" },
    { code: "background-now-white", format: "jpeg" },
  ]);
  expect((await remove(deep, { background: "#0000ff" })).notes).toEqual([{ code: "depth-reduced-for-background" }]);
});

/** With models for people that detect red and blue. */
async function withPersonNetworks(): Promise<ModelsConfig> {
  const path = join(folder, "people.onnx");
  await writePixelModel(path, { weights: [[3, -6, 3]], bias: [0], activation: "Clip", height: side, width: side });
  const size = { kind: "fixed", heightPx: side, widthPx: side } as const;
  const input = { name: "input", size, mean: [0, 0, 0], deviation: [255, 255, 255] } as const;
  const output = { name: "output", channels: 1, scale: 1, range: [0, 1] } as const;
  const row = { source: { kind: "file", path }, input, output, memoryMb: 50 } as const;
  return { overrides: { ...models.overrides, person: row, "person-landscape": row } };
}

// A head so small beside its body that the models for people are not trusted.
const floatingHead = svg(
  '<rect x="170" y="20" width="60" height="60" fill="#e61e1e"/><rect x="100" y="80" width="200" height="200" fill="#1e1ee6"/>',
);

// product: candidates
test("a head without its body is flagged, and an edit takes the candidate with the body at full resolution", async () => {
  const config = await withPersonNetworks();
  const cut = await remove(await png(floatingHead), {}, { config, keepsCandidates: true });
  expect(cut).toMatchObject({ incomplete: true, notes: [{ code: "person-missing" }] });
  expect(cut.candidates).toHaveLength(2);
  expect(cut.candidates?.[0]).toBe(cut.confidence);
  expect((await pixelAt(cut.picture, 200, 200))[3]).toBe(0);

  const sheet = await readFile(join(work, "sheet"));
  expect((await pixels(sheet)).info).toMatchObject({ width: 200, height: 300, channels: 4 });
  expect([(await pixelAt(sheet, 100, 100))[3], (await pixelAt(sheet, 100, 150 + 100))[3]]).toEqual([0, 255]);
  expect((await pixelAt(sheet, 100, 150 + 100)).slice(0, 3)).toEqual([30, 30, 230]);

  const cutOutPath = join(work, "whole");
  await writeFile(cutOutPath, cut.picture);
  const edit = async (asked: object) => {
    const outputPath = join(work, "edited");
    const task: Task = {
      name: "edit",
      options: taskOptions.edit.parse(asked),
      inputPath: cutOutPath,
      auxiliaryPaths: { original: join(work, "in"), candidates: join(work, "mattes") },
      outputPath,
      limits: { megapixelsIn: 10, megapixelsOut: 10 },
    };
    const context = { signal: new AbortController().signal, progress: () => {} };
    const outcome = await createImaging().run(task, context);
    return { outcome, picture: await readFile(outputPath) };
  };
  const joined = await edit({ candidate: "2" });
  expect(joined.outcome).toMatchObject({ result: { width: 400, height: 300 }, confidence: cut.candidates?.[1] });
  expect(await pixelAt(joined.picture, 200, 200)).toEqual([30, 30, 230, 255]);
  expect(await pixelAt(joined.picture, 200, 60)).toEqual([230, 30, 30, 255]);
  expect((await pixelAt(joined.picture, 20, 20))[3]).toBe(0);
  const behind = await edit({ candidate: "2", background: "#00ff00", crop: "true", margin: "0" });
  expect((await pixels(behind.picture)).info).toMatchObject({ channels: 3 });
  expect(Math.abs((await pixels(behind.picture)).info.width - 200)).toBeLessThan(8);
  expect((await pixelAt((await edit({})).picture, 200, 200))[3]).toBe(0);
  expect((await readdir(work)).sort()).toEqual(["edited", "in", "mattes", "out", "sheet", "whole"]);
});

test("an original of 16 bits and with a profile gives a candidate with both", async () => {
  const config = await withPersonNetworks();
  const deep = await sharp(floatingHead).removeAlpha().toColourspace("rgb16").withIccProfile("p3").png().toBuffer();
  const cut = await remove(deep, {}, { config, keepsCandidates: true });
  const outputPath = join(work, "edited");
  await writeFile(join(work, "whole"), cut.picture);
  const task: Task = {
    name: "edit",
    options: taskOptions.edit.parse({ candidate: "2" }),
    inputPath: join(work, "whole"),
    auxiliaryPaths: { original: join(work, "in"), candidates: join(work, "mattes") },
    outputPath,
    limits: { megapixelsIn: 10, megapixelsOut: 10 },
  };
  await createImaging().run(task, { signal: new AbortController().signal, progress: () => {} });
  const [first, second] = [await sharp(cut.picture).metadata(), await sharp(outputPath).metadata()];
  expect(second).toMatchObject({ depth: "ushort", hasAlpha: true, channels: first.channels });
  expect(second.icc?.equals(first.icc ?? Buffer.alloc(0))).toBe(true);
});

test("where one view is left nothing is kept besides the result", async () => {
  const cut = await remove(await png(disc), {}, { config: await withPersonNetworks(), keepsCandidates: true });
  expect([cut.candidates, cut.incomplete]).toEqual([undefined, undefined]);
  expect((await readdir(work)).sort()).toEqual(["in", "out"]);
});

test("an edit that paints behind a cut-out of 16 bits says that 8 are left", async () => {
  const [inputPath, outputPath] = [join(work, "in"), join(work, "out")];
  await writeFile(inputPath, await sharp(disc).ensureAlpha(0.5).toColourspace("rgb16").png().toBuffer());
  const edited = async (asked: object) => {
    const options = taskOptions.edit.parse(asked);
    const task: Task = {
      name: "edit",
      options,
      inputPath,
      outputPath,
      limits: { megapixelsIn: 10, megapixelsOut: 10 },
    };
    const context = { signal: new AbortController().signal, progress: () => {} };
    return (await createImaging().run(task, context)).notes;
  };
  expect(await edited({ background: "#0000ff" })).toEqual([{ code: "depth-reduced-for-edit" }]);
  expect(await edited({})).toEqual([]);
});

test("transparent pixels stay transparent, and half-transparent ones stay so", async () => {
  const { data, info } = await sharp(disc).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 3; at < data.length; at += 4) data[at] = 128;
  const half = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .png()
    .toBuffer();
  // Over white the translucent disc is pale; the model of this test still detects it.
  const { picture } = await remove(half);
  const alpha = (await pixelAt(picture, 260, 150))[3] ?? 0;
  expect(alpha).toBeGreaterThan(0);
  expect(alpha).toBeLessThanOrEqual(128);
});

test("crop cuts to what is seen, with its margin", async () => {
  const input = await png(disc);
  const { result } = await remove(input, { crop: "true", margin: "0" });
  expect(Math.abs(result.width - 120)).toBeLessThanOrEqual(3);
  expect(Math.abs(result.height - 120)).toBeLessThanOrEqual(3);
  const roomy = await remove(input, { crop: "true", margin: "10" });
  expect(Math.abs(roomy.result.width - 144)).toBeLessThanOrEqual(4);
});

test("mask_only answers with the matte as grey", async () => {
  const { picture } = await remove(await png(disc), { mask_only: "true" });
  expect(await sharp(picture).metadata()).toMatchObject({ channels: 1, width: 400, height: 300 });
  expect((await pixelAt(picture, 260, 150))[0]).toBe(255);
  expect((await pixelAt(picture, 20, 20))[0]).toBe(0);
});

test("a colour or an uploaded picture takes the background's place", async () => {
  const input = await png(disc);
  const blue = await remove(input, { background: "#0000ff" });
  expect(await pixelAt(blue.picture, 20, 20)).toEqual([0, 0, 255]);
  expect(await pixelAt(blue.picture, 260, 150)).toEqual([230, 30, 30]);

  const backgroundPath = join(work, "behind");
  // Larger, and of another aspect ratio: its centre is green, its sides are not.
  const behind = svg('<rect x="100" width="200" height="100" fill="#00ff00"/>', 400, 100);
  await sharp(behind).png().toFile(backgroundPath);
  const placed = await remove(input, { crop: "true", margin: "20" }, { backgroundPath });
  expect((await pixelAt(placed.picture, 2, 2)).slice(0, 3)).toEqual([0, 255, 0]);
  const middle = Math.floor(placed.result.width / 2);
  expect((await pixelAt(placed.picture, middle, middle)).slice(0, 3)).toEqual([230, 30, 30]);
  expect((await readdir(work)).sort()).toEqual(["behind", "in", "out"]);
});

test("a background that is no picture is named as the one at fault", async () => {
  const backgroundPath = join(work, "behind");
  await writeFile(backgroundPath, "no picture");
  const removing = remove(await png(disc), {}, { backgroundPath });
  await expect(removing).rejects.toMatchObject({
    code: "not-an-image",
    detail: expect.stringContaining("Background image: This file is not an image we can read."),
  });
});

test("a small subject in a large picture is looked at twice, and said so", async () => {
  const large = svg('<circle cx="400" cy="300" r="90" fill="#e61e1e"/>', 2000, 1500);
  const stages: string[] = [];
  const fractions: number[] = [];
  const { picture } = await remove(
    await png(large),
    {},
    {
      progress: ({ fraction, stage }) => {
        fractions.push(fraction);
        if (stage && stage !== stages.at(-1)) stages.push(stage);
      },
    },
  );
  expect(stages).toEqual(["loading-model", "finding-subject", "looking-closer", "cutting-edges", "writing-image"]);
  expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  expect((await pixelAt(picture, 400, 300))[3]).toBe(255);
  expect((await pixelAt(picture, 1500, 1000))[3]).toBe(0);
});

test("a warm engine has loaded its model before the first picture", async () => {
  const imaging = createImaging({ models, isWarm: true });
  await imaging.warm();
  const [inputPath, outputPath] = [join(work, "in"), join(work, "out")];
  await writeFile(inputPath, await png(disc));
  const stages = new Set<string | undefined>();
  await imaging.run(
    {
      name: "remove-background",
      inputPath,
      outputPath,
      limits: { megapixelsIn: 10, megapixelsOut: 10 },
      options: taskOptions["remove-background"].parse({}),
    },
    { signal: new AbortController().signal, progress: ({ stage }) => stages.add(stage) },
  );
  expect([...stages]).toContain("finding-subject");
  expect([...stages]).not.toContain("loading-model");
});

test("cancelling stops between two steps and leaves no file behind", async () => {
  const cancel = new AbortController();
  const removing = remove(
    await png(disc),
    {},
    {
      signal: cancel.signal,
      progress: ({ stage }) => stage === "cutting-edges" && cancel.abort(),
    },
  );
  await expect(removing).rejects.toThrow("aborted");
  expect(await readdir(work)).toEqual(["in"]);
});

test.each([
  ["an animation", { profile: "auto_rembg" }, "The background of animated images cannot be removed."],
  ["a picture without a subject", {}, "No subject stands out"],
] as const)("%s is refused in a sentence", async (what, asked, sentence) => {
  const frames = Buffer.concat([0, 200].map((value) => Buffer.alloc(64 * 64 * 3, value)));
  const moving = sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } })
    .gif()
    .toBuffer();
  const picture = await (what === "an animation" ? moving : png(svg("")));
  await expect(remove(picture, asked)).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining(sentence),
  });
});

test("without its model it says what is missing, and the caller learns no path", async () => {
  const removing = remove(await png(disc), {}, { config: { directory: work } });
  await expect(removing).rejects.toMatchObject({
    code: "not-installed",
    detail: expect.not.stringContaining(work),
    cause: expect.objectContaining({ message: expect.stringContaining("npm run models") }),
  });
});

test("a cut-out is written straight to another format: white where a JPEG has no background, alpha in a WebP", async () => {
  const source = await png(disc);
  const jpeg = await remove(source, { target_format: "jpeg", quality: "90" });
  expect(jpeg.result).toMatchObject({ format: "jpeg", width: 400, height: 300, sizeBytes: jpeg.picture.length });
  expect(await sharp(jpeg.picture).metadata()).toMatchObject({ format: "jpeg", channels: 3 });
  const at = async (picture: Uint8Array, x: number, y: number) => [
    ...(await sharp(picture).extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer()),
  ];
  for (const value of await at(jpeg.picture, 20, 20)) expect(value).toBeGreaterThan(248);
  const [red = 0, green = 255] = await at(jpeg.picture, 260, 150);
  expect([red > 200, green < 60]).toEqual([true, true]);
  const webp = await remove(source, { target_format: "webp" });
  expect(await sharp(webp.picture).metadata()).toMatchObject({ format: "webp", hasAlpha: true });
  expect((await at(webp.picture, 20, 20))[3]).toBe(0);
  const blue = await remove(source, { target_format: "jpeg", background: "#0000ff" });
  expect((await at(blue.picture, 20, 20))[2]).toBeGreaterThan(240);
  const mask = await remove(source, { target_format: "webp", mask_only: "true" });
  expect((await at(mask.picture, 20, 20))[0]).toBeLessThan(10);
});
