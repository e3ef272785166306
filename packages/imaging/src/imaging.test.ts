import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createImaging } from "./imaging.ts";
import { testLimits } from "./testing/run-operation.ts";

const imaging = createImaging();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "imaging-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function toPng(bytes: Uint8Array) {
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, bytes);
  const task = {
    name: "convert",
    options: { target_format: "png" },
    inputPath,
    outputPath,
    limits: testLimits,
  } as const;
  const outcome = await imaging.run(task, { signal: new AbortController().signal, progress: () => {} });
  return {
    outcome,
    pixels: await sharp(await readFile(outputPath))
      .raw()
      .toBuffer(),
  };
}
const noise = Uint8Array.from({ length: 256 * 256 * 3 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
const jpeg = () =>
  sharp(noise, { raw: { width: 256, height: 256, channels: 3 } })
    .jpeg()
    .toBuffer();

test("a JPEG cut short is broken, with its end put back too", async () => {
  const bytes = await jpeg();
  const cut = bytes.subarray(0, bytes.length / 2);
  await expect(toPng(cut)).rejects.toMatchObject({ code: "broken-image" });
  await expect(toPng(Buffer.concat([cut, Buffer.from([0xff, 0xd9])]))).rejects.toMatchObject({ code: "broken-image" });
});

test("a JPEG with extraneous bytes between its segments is read", async () => {
  const bytes = await jpeg();
  const after = 4 + bytes.readUInt16BE(4); // SOI and the first segment
  const untidy = Buffer.concat([bytes.subarray(0, after), Buffer.alloc(40, 7), bytes.subarray(after)]);
  await expect(sharp(untidy, { failOn: "warning" }).raw().toBuffer()).rejects.toThrow("extraneous");
  expect((await toPng(untidy)).pixels.equals((await toPng(bytes)).pixels)).toBe(true);
});

test("an error that no picture is to blame for stays the engine's", async () => {
  const inputPath = join(folder, "good");
  await writeFile(inputPath, await jpeg());
  const task = { name: "convert", options: { target_format: "png" }, inputPath, limits: testLimits } as const;
  const run = imaging.run(
    { ...task, outputPath: join(folder, "no-such-folder", "output") },
    { signal: new AbortController().signal, progress: () => {} },
  );
  await expect(run).rejects.toMatchObject({ code: "ENOENT" });
});

test("loaders that no format needs are shut", async () => {
  const path = join(folder, "picture.v");
  await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } }).toFile(path);
  await expect(sharp(path).metadata()).rejects.toThrow("unsupported");
});
