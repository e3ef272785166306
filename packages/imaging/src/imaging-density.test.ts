import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metadataChoices } from "@tintype/contract";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createImaging } from "./imaging.ts";
import { swapAxes } from "./metadata/density.ts";
import { densityOf } from "./operations/keep-metadata.ts";
import type { Task } from "./task.ts";
import { casesOfRun } from "./testing/deep.ts";
import { noisePicture } from "./testing/metadata-pictures.ts";
import { testLimits } from "./testing/run-operation.ts";

const imaging = createImaging();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "density-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(bytes: Uint8Array, task: Pick<Task, "name"> & Partial<Task>) {
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, bytes);
  const outcome = await imaging.run(
    { options: {}, inputPath, outputPath, limits: testLimits, ...task },
    { signal: new AbortController().signal, progress: () => {} },
  );
  const result = await readFile(outputPath);
  expect(outcome.result.sizeBytes).toBe(result.length);
  return { outcome, result, density: await densityOf(outputPath) };
}

/** A fax: unequal pixels per inch. */
const fax = { x: 204, y: 98 };
const faxTiff = () =>
  noisePicture()
    .tiff({ compression: "lzw", xres: fax.x / 25.4, yres: fax.y / 25.4 })
    .toBuffer();

/** The fax in each format that holds a density, written by the service itself. */
async function faxAs(format: string): Promise<Buffer> {
  const tiff = await faxTiff();
  if (format === "tiff") return tiff;
  return (await run(tiff, { name: "convert", options: { target_format: format, metadata: "none" } })).result;
}

const holders = ["jpeg", "png", "webp", "tiff", "avif", "bmp"] as const;

// product: density-kept
test.each(holders)("convert to %s keeps both axes of a density", async (format) => {
  const picture = await faxAs(format);
  const path = join(folder, `fax.${format}`);
  await writeFile(path, picture);
  expect(await densityOf(path)).toEqual(fax);
  if (format === "jpeg" || format === "png" || format === "tiff")
    expect((await sharp(picture).metadata()).density).toBe(fax.x); // as another reader sees it
  if (format === "jpeg") expect([...picture.subarray(13, 18)]).toEqual([1, 0, 204, 0, 98]);
});

const tasks = {
  compress: { quality: 60, min_quality: 40, allow_resize: false },
  resize: { width: 48, method: "fill" },
  crop: { left: 8, top: 8, width: 40, height: 40 },
  turn: { degrees: 180 },
} as const;

test.each(
  casesOfRun(
    holders.flatMap((format) => (Object.keys(tasks) as (keyof typeof tasks)[]).map((name) => [name, format] as const)),
  ),
)(
  "%s of a %s keeps its density, whatever is chosen for the metadata",
  async (name, format) => {
    const source = await faxAs(format);
    for (const metadata of metadataChoices) {
      const { density } = await run(source, { name, options: { ...tasks[name], metadata } });
      expect(density).toEqual(fax);
    }
  },
  60_000,
);

// product: density-asked
test.each(holders)(
  "resize states the density that is asked for in a %s, and leaves the pixels alone",
  async (format) => {
    const options = { width: 32, method: "fit", target_format: format, dpi: 300 };
    const { density, outcome } = await run(await faxTiff(), { name: "resize", options });
    expect(density).toEqual({ x: 300, y: 300 });
    expect(outcome.result).toMatchObject({ width: 32 });
  },
);

test("a GIF stores no density, and says so", async () => {
  const options = { width: 32, method: "fit", target_format: "gif", dpi: 300 };
  const { outcome } = await run(await faxTiff(), { name: "resize", options });
  expect(outcome.notes).toContainEqual({ code: "density-not-stored", format: "gif" });
});

test.each(holders)("a quarter turn of a %s swaps the axes", async (format) => {
  const { density } = await run(await faxAs(format), { name: "turn", options: { degrees: 90, metadata: "none" } });
  expect(density).toEqual(swapAxes(fax));
});

test.each(holders)("an uploaded %s comes back with its density", async (format) => {
  const { density } = await run(await faxAs(format), { name: "upload" });
  expect(density).toEqual(fax);
});

test("a sideways photograph is turned with its density, and returned with neither turned", async () => {
  const source = await noisePicture().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const input = Buffer.concat([
    source.subarray(0, 2),
    Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from("JFIF\0"), 1, 1, 1, 0, 204, 0, 98, 0, 0]),
    source.subarray(2),
  ]);
  const resized = await run(input, { name: "resize", options: { width: 32, method: "fit", metadata: "none" } });
  expect(resized.density).toEqual(swapAxes(fax));
  const same = await run(input, { name: "convert", options: { target_format: "jpeg", metadata: "none" } });
  expect(same.outcome.kind).toBe("unchanged");
  expect(same.density).toEqual(fax);
});

test.each(["jpeg", "webp"] as const)("the density of a %s that only EXIF states is kept", async (format) => {
  const source = await noisePicture().withMetadata({ density: 300 })[format]().toBuffer();
  for (const task of [
    { name: "upload" },
    { name: "compress", options: { quality: 70, metadata: "none" } },
    { name: "resize", options: { width: 32, method: "fit", metadata: "copyright" } },
  ] as const)
    expect((await run(source, task)).density).toEqual({ x: 300, y: 300 });
});

test.each(["jpeg", "png", "webp", "avif"] as const)(
  "a %s without a density gets none that is not 72",
  async (format) => {
    const { density } = await run(await noisePicture().webp({ lossless: true }).toBuffer(), {
      name: "convert",
      options: { target_format: format, metadata: "none", quality: 90 },
    });
    expect([undefined, 72]).toContain(density?.x);
  },
);

test("a TIFF of a picture without a density says 72", async () => {
  const { density } = await run(await noisePicture().webp().toBuffer(), {
    name: "convert",
    options: { target_format: "tiff", metadata: "none" },
  });
  expect(density).toEqual({ x: 72, y: 72 });
});

test("a picture above the size that is encoded in memory gets no density of the encoder's", async () => {
  const large = await sharp({ create: { width: 4200, height: 2600, channels: 3, background: "#3377aa" } })
    .webp()
    .toBuffer();
  const { density } = await run(large, { name: "convert", options: { target_format: "png", metadata: "none" } });
  expect(density).toBeUndefined();
});
