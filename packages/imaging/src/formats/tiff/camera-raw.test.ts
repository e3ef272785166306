import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createImaging } from "../../imaging.ts";
import { type TiffTag, tiffFile } from "../../testing/tiff-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "raw-"));
});
afterAll(() => rm(folder, { recursive: true }));

const imaging = createImaging();

async function convert(bytes: Uint8Array) {
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, bytes);
  const outcome = await imaging.run(
    {
      name: "convert",
      options: { target_format: "png", min_quality: 20 },
      inputPath,
      outputPath,
      limits: { megapixelsIn: 25, megapixelsOut: 25 },
    },
    { signal: new AbortController().signal, progress: () => {} },
  );
  return { outcome, result: await readFile(outputPath) };
}

const jpeg = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c83c28" } })
    .jpeg()
    .toBuffer();

const short = (tag: number, ...values: number[]): TiffTag => ({ tag, type: "short", values });
const text = (tag: number, said: string): TiffTag => ({ tag, type: "byte", values: Buffer.from(`${said}\0`) });
/** The tags of 8 x 8 px of sensor data, as a colour filter array. */
const sensor = [short(256, 8), short(257, 8), short(258, 8), short(262, 32_803), short(277, 1), short(278, 8)];

test.each([
  ["DNG", [{ tag: 50_706, type: "byte", values: [1, 4, 0, 0] } satisfies TiffTag]],
  ["NEF", [text(271, "NIKON CORPORATION")]],
  ["ARW", [text(271, "SONY")]],
  ["PEF", [text(271, "PENTAX Corporation")]],
])("of a %s the largest preview is used, as the camera held it, and it is said", async (kind, tags) => {
  const [small, large] = [await jpeg(32, 24), await jpeg(120, 80)];
  const raw = tiffFile({
    tags: [...sensor, ...tags, short(274, 6), { tag: 514, type: "long", values: [large.length] }],
    segments: [Buffer.concat([Buffer.alloc(64), small])],
    blocks: { 513: [large] },
  });
  const { outcome, result } = await convert(raw);
  expect(outcome).toMatchObject({ kind: "done", source: { format: "jpeg" } });
  expect(outcome.notes[0]).toEqual({ code: "raw-preview-used", kind, width: 120, height: 80 });
  expect(await sharp(result).metadata()).toMatchObject({ width: 80, height: 120 });
});

test("a raw file without a preview is refused by name", async () => {
  const raw = tiffFile({ tags: [...sensor, text(271, "SONY")], segments: [Buffer.alloc(64)] });
  await expect(convert(raw)).rejects.toMatchObject({
    code: "cannot-process",
    message: expect.stringContaining("raw file (ARW)"),
  });
});

test("an edit finds the preview again in the raw file that a cut-out was made of", async () => {
  const large = await jpeg(120, 80);
  const raw = tiffFile({
    tags: [...sensor, text(271, "SONY"), { tag: 514, type: "long", values: [large.length] }],
    segments: [Buffer.alloc(64)],
    blocks: { 513: [large] },
  });
  const [inputPath, originalPath, outputPath] = ["cut-out", "original", "edited"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(originalPath, raw);
  const nothing = { r: 0, g: 0, b: 0, alpha: 0 };
  await sharp({ create: { width: 120, height: 80, channels: 4, background: nothing } })
    .png()
    .toFile(inputPath);
  const limits = { megapixelsIn: 25, megapixelsOut: 25 };
  const options = { candidate: 1, blur: 30, shadow: 0, crop: false, margin: 5, mask_only: false };
  const task = {
    name: "edit",
    options,
    inputPath,
    auxiliaryPaths: { original: originalPath },
    outputPath,
    limits,
  } as const;
  await imaging.run(task, { signal: new AbortController().signal, progress: () => {} });
  const { dominant } = await sharp(outputPath).stats();
  expect(dominant.r).toBeGreaterThan(180);
  expect((await readdir(folder)).filter((name) => name.includes("preview"))).toEqual([]);
});
