import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planGainMap } from "../operations/keep-gain-map.ts";
import { planKeeping } from "../operations/keep-metadata.ts";
import { openTask } from "../operations/operation.ts";
import { upload } from "../operations/upload.ts";
import { exifOfApple, xmpOfApple } from "../testing/carrier-pictures.ts";
import { heicFile } from "../testing/heic-file.ts";
import { testLimits } from "../testing/run-operation.ts";
import { openInputFile } from "./input-file.ts";
import { readParts } from "./read-parts.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "input-file-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("whoever reads a picture of a task takes it from memory, where its one reading left it", async () => {
  const [inputPath, outputPath] = [join(folder, "photo.heic"), join(folder, "output")];
  const exif = exifOfApple({ makerNotes: [800, 100] });
  await writeFile(inputPath, heicFile({ appleMap: { xmp: xmpOfApple("4") }, exif }));
  const task = await openTask({ name: "upload", options: {}, inputPath, outputPath, limits: testLimits });
  await rm(inputPath);
  const context = { signal: new AbortController().signal, progress: () => {} };
  expect((await readParts(task.input)).has("gainMap")).toBe(true);
  expect((await planKeeping({ ...task, metadata: "none" })).selection.found.size).toBeGreaterThan(0);
  const converted = { ...task, name: "convert", options: { target_format: "jpeg" } } as const;
  expect(await planGainMap(converted, context.signal)).toBeDefined();
  expect((await upload(task, context)).source).toMatchObject({ format: "heic", width: 64, height: 32 });
});

test("a file too large to stay in memory is read again, in whole and in parts", async () => {
  const path = join(folder, "large");
  const sizeBytes = 33e6;
  const file = await open(path, "w");
  await file.truncate(sizeBytes);
  await file.write("BM", 0);
  const input = await openInputFile(path);
  expect(input).toMatchObject({ sizeBytes });
  await file.write("end", sizeBytes - 3);
  await file.close();
  expect((await input.bytes()).toString("latin1", sizeBytes - 3)).toBe("end");
  expect(await input.withParts((read) => read(sizeBytes - 3, 9))).toEqual(Buffer.from("end"));
  expect(await input.withParts((read) => read(2 ** 60, 9))).toHaveLength(0);
});

test("a file that is not kept is not read before anyone asks, and a short one has no bytes behind its end", async () => {
  const path = join(folder, "short");
  await writeFile(path, "BM");
  const input = await openInputFile(path, { keeps: false });
  expect(input.head).toHaveLength(2);
  await writeFile(path, "BM, and more");
  expect((await input.bytes()).toString()).toBe("BM, and more");
  expect((await input.withParts((read) => read(4, 3))).toString()).toBe("and");
});
