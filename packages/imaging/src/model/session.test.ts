import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writePixelModel } from "../testing/onnx-model.ts";
import type { ModelOverride, ModelsConfig } from "./config.ts";
import { createModels } from "./session.ts";

let folder: string;
const size = { heightPx: 2, widthPx: 2 };
/** A model that returns the red channel. */
const red = { weights: [[1, 0, 0]], bias: [0], height: 2, width: 2 } as const;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "models-"));
  await writePixelModel(join(folder, "red.onnx"), red);
  await writePixelModel(join(folder, "free.onnx"), { ...red, height: "h", width: "w" });
  await writePixelModel(join(folder, "small.onnx"), { ...red, height: 3, width: 5 });
  await writePixelModel(join(folder, "names.onnx"), { ...red, inputName: "image", outputName: "mask" });
  await writePixelModel(join(folder, "colour.onnx"), { ...red, weights: [red.weights[0], [0, 1, 0]], bias: [0, 0] });
  await writeFile(join(folder, "text.onnx"), "this is no model");
});
afterAll(() => rm(folder, { recursive: true }));

const place = (file: string, more: Partial<ModelOverride> = {}): ModelsConfig => ({
  overrides: {
    background: {
      source: { kind: "file", path: join(folder, file) },
      input: {
        name: "input",
        size: { kind: "fixed", heightPx: 2, widthPx: 2 },
        mean: [0, 0, 0],
        deviation: [1, 1, 1],
      },
      memoryMb: 10,
      ...more,
    },
  },
});
const reds = Float32Array.of(0, 0.25, 0.5, 1, ...new Array<number>(8).fill(0.9));
const useRed = (models: ReturnType<typeof createModels>) =>
  models.use("background", async (model) => ({ model, values: await model.run(reds, size) }));
const reasonOf = (config: ModelsConfig) =>
  createModels(config)
    .use("background", async () => "opened")
    .catch((problem: Error) => ({ message: problem.message, cause: String(problem.cause) }));

test("a model put in place by configuration is opened, and what it gives comes back in the row's range", async () => {
  const models = createModels(
    place("red.onnx", { output: { name: "output", channels: 1, scale: 1, range: [0, 0.5] } }),
  );
  const { values, model } = await useRed(models);
  expect([...values]).toEqual([0, 0.25, 0.5, 0.5]);
  expect(model.provider()).toBe("cpu");
  await models.close();
});

test("a free size takes the place of a fixed one, not the other way round", async () => {
  await expect(useRed(createModels(place("free.onnx")))).resolves.toBeDefined();
  const { input } = place("red.onnx").overrides?.background ?? {};
  if (!input) throw new Error("the override has an input");
  const said = await reasonOf(place("red.onnx", { input: { ...input, size: { kind: "free", multipleOf: 32 } } }));
  expect(said).toMatchObject({
    cause: expect.stringContaining("is float32 [1, 3, 2, 2], wanted is float32 [1, 3, any, any]"),
  });
});

test.each([
  ["small.onnx", 'its input "input" is float32 [1, 3, 3, 5], wanted is float32 [1, 3, 2, 2]'],
  ["names.onnx", 'it takes "image", and "input" alone is given to it'],
  ["colour.onnx", 'its output "output" is float32 [1, 2, 2, 2], wanted is float32 [1, 1, 2, 2]'],
  ["text.onnx", "cannot be opened from"],
  ["missing.onnx", "there is no such file"],
])("%s is refused in words for the operator, and the caller learns no path", async (file, reason) => {
  const said = await reasonOf(place(file));
  expect(said).toMatchObject({
    message: "This tool is unavailable right now.",
    cause: expect.stringContaining(reason),
  });
  expect(said).toMatchObject({ message: expect.not.stringContaining(folder), cause: expect.stringContaining(file) });
});

test("a file whose sum is another one is not opened", async () => {
  expect(await reasonOf(place("red.onnx", { sha256: "0".repeat(64) }))).toMatchObject({
    cause: expect.stringMatching(/its sha256 is [0-9a-f]{64} instead of 0{64}/),
  });
});

test("a provider this machine lacks falls back to the CPU, with one line in the log", async () => {
  const lines: string[] = [];
  const models = createModels({ ...place("red.onnx"), providers: ["cuda"] }, { log: (line) => lines.push(line) });
  const { values, model } = await useRed(models);
  expect([...values]).toEqual([0, 0.25, 0.5, 1]);
  expect(model.provider()).toBe("cpu");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("cuda cannot be used, going on with cpu");
  await useRed(models);
  expect(lines).toHaveLength(1);
  await models.close();
});

test("a model is opened once for many, told as a stage, and again only after idling", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const models = createModels({ ...place("red.onnx"), idleMs: 1000 });
    const stages: string[] = [];
    const use = () => models.use("background", async (model) => model, { onStage: (stage) => stages.push(stage) });
    const [first, second] = await Promise.all([use(), use()]);
    expect(second).toBe(first);
    await vi.advanceTimersByTimeAsync(999);
    expect(await use()).toBe(first);
    expect(stages).toEqual(["loading-model"]);
    await vi.advanceTimersByTimeAsync(1001);
    expect(await use()).not.toBe(first);
    expect(stages).toHaveLength(2);
    await models.close();
  } finally {
    vi.useRealTimers();
  }
});

test("a model in use outlasts idling and closing", async () => {
  const models = createModels({ ...place("red.onnx"), idleMs: 0 });
  const values = await models.use("background", async (model) => {
    await models.close();
    return model.run(reds, size);
  });
  expect([...values]).toEqual([0, 0.25, 0.5, 1]);
});

test("a model larger than the bound is refused", async () => {
  expect(await reasonOf({ ...place("red.onnx", { memoryMb: 5000 }), maxMemoryMb: 100 })).toMatchObject({
    cause: expect.stringContaining("takes 5000 MB; the bound for models is 100 MB"),
  });
});

test("a run that was cancelled before is not begun", async () => {
  const cancelled = AbortSignal.abort();
  const opening = createModels(place("red.onnx")).use("background", async () => "opened", { signal: cancelled });
  await expect(opening).rejects.toThrow("aborted");
});
