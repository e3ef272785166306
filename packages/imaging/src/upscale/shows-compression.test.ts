import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { openInputFile } from "../formats/input-file.ts";
import { readJpegFacts } from "../formats/jpeg/facts.ts";
import { openFile } from "../formats/open-source.ts";
import { rowOf } from "../model/config.ts";
import { readPicture } from "../raster/read-picture.ts";
import { showsBlockGrid } from "./block-grid.ts";
import { passesFor } from "./run-passes.ts";
import { gatherEvidence, showsCompression } from "./shows-compression.ts";

/** Waves of many wavelengths and some grain, as in photographs; nothing repeats every eight pixels. */
function picture({ width, height }: { width: number; height: number }): Sharp {
  const data = Buffer.alloc(width * height * 3);
  let seed = 1;
  for (let i = 0; i < data.length; i += 1) {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const waves = Math.sin(x * x * 0.0007 + y * 0.05) + Math.cos(y * 0.13 - x * 0.031) + Math.sin((x + y) * 0.37);
    data[i] = 128 + 30 * waves + 12 * (seed / 2 ** 31 - 0.5) + 9 * (i % 3);
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}
const size = { width: 320, height: 288 };

test.each([20, 50, 75, 90, 100])(
  "a JPEG's quality of %i and its sampling are read from its tables",
  async (quality) => {
    for (const chromaSubsampling of ["4:2:0", "4:4:4"]) {
      const bytes = await picture(size).jpeg({ quality, chromaSubsampling }).toBuffer();
      const facts = readJpegFacts(bytes);
      expect(Math.abs((facts?.quality ?? 0) - quality)).toBeLessThanOrEqual(1);
      expect(facts?.isSubsampled).toBe(chromaSubsampling === "4:2:0");
    }
  },
);

test("a damaged or cut header gives no facts, and never throws", async () => {
  const bytes = await picture(size).jpeg().toBuffer();
  for (let length = 0; length < 700; length += 1) expect(() => readJpegFacts(bytes.subarray(0, length))).not.toThrow();
  expect(readJpegFacts(bytes.subarray(0, 40))).toBeUndefined();
  expect(readJpegFacts(Buffer.from("\xff\xd8no marker follows", "latin1"))).toBeUndefined();
});

const showsGrid = async (image: Sharp) =>
  showsBlockGrid(await readPicture(image, { depth: 8, isGrey: false, hasAlpha: false }));
const throughJpeg = async (quality: number) => sharp(await picture(size).jpeg({ quality }).toBuffer());

test("blocks of a JPEG are seen in pixels stored without loss, wherever they begin", async () => {
  expect(await showsGrid(picture(size))).toBe(false);
  for (const quality of [40, 60, 75]) expect(await showsGrid(await throughJpeg(quality))).toBe(true);
  const cut = { left: 3, top: 5, width: 300, height: 270 };
  expect(await showsGrid((await throughJpeg(60)).extract(cut))).toBe(true);
});

test("no blocks are seen in a good JPEG, one that was reduced, a flat picture, a small one, or a drawing", async () => {
  expect(await showsGrid(await throughJpeg(97))).toBe(false);
  const reduced = await (await throughJpeg(60)).resize(170).png().toBuffer();
  expect(await showsGrid(sharp(reduced))).toBe(false);
  expect(await showsGrid(sharp({ create: { ...size, channels: 3, background: "#789" } }))).toBe(false);
  expect(await showsGrid((await throughJpeg(40)).extract({ left: 0, top: 0, width: 24, height: 200 }))).toBe(false);
  const rules = Buffer.alloc(256 * 256, 255).map((value, i) => ((i >> 8) % 19 === 0 ? 0 : value));
  expect(await showsGrid(sharp(rules, { raw: { width: 256, height: 256, channels: 1 } }).toColourspace("srgb"))).toBe(
    false,
  );
});

test("the file itself decides: tables, sampling, bytes and blocks", () => {
  const jpeg = (quality: number, isSubsampled: boolean, bytesPerPixel = 0.6) =>
    showsCompression({ format: "jpeg", bytesPerPixel, jpeg: { quality, isSubsampled } });
  expect([jpeg(75, true), jpeg(89, false), jpeg(90, false), jpeg(92, true), jpeg(95, true)]).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(jpeg(95, false, 0.05)).toBe(true);
  expect(showsCompression({ format: "jpeg", bytesPerPixel: 3 })).toBe(true);
  for (const format of ["avif", "heic"] as const) {
    expect(showsCompression({ format, bytesPerPixel: 0.05 })).toBe(true);
    expect(showsCompression({ format, bytesPerPixel: 0.5 })).toBe(false);
  }
  expect(showsCompression({ format: "webp", bytesPerPixel: 0.1, isLossyWebp: true })).toBe(true);
  expect(showsCompression({ format: "webp", bytesPerPixel: 0.1, isLossyWebp: false })).toBe(false);
  for (const format of ["png", "bmp", "tiff"] as const) {
    expect(showsCompression({ format, bytesPerPixel: 0.01 })).toBe(false);
    expect(showsCompression({ format, bytesPerPixel: 3, hasBlockGrid: true })).toBe(true);
  }
  for (const format of ["gif", "svg"] as const)
    expect(showsCompression({ format, bytesPerPixel: 0.01, hasBlockGrid: true })).toBe(false);
});

test("the evidence is gathered from real files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "evidence-"));
  let files = 0; // libvips caches by file name
  const judge = async (image: Sharp) => {
    files += 1;
    const path = join(folder, `picture-${files}`);
    await writeFile(path, await image.toBuffer());
    const file = await openInputFile(path);
    const source = await openFile(file, { megapixelsIn: 1, megapixelsOut: 1 });
    const picture = await readPicture(source.read(), source);
    return showsCompression(await gatherEvidence(source, { picture, file }));
  };
  try {
    expect(await judge(picture(size).jpeg({ quality: 70 }))).toBe(true);
    expect(await judge(picture(size).jpeg({ quality: 97, chromaSubsampling: "4:4:4" }))).toBe(false);
    expect(await judge(picture(size).webp({ quality: 30 }))).toBe(true);
    expect(await judge(picture(size).webp({ lossless: true }))).toBe(false);
    expect(await judge(picture(size).webp({ quality: 30 }).withMetadata())).toBe(true);
    expect(await judge(picture(size).avif({ quality: 30, effort: 0 }))).toBe(true);
    expect(await judge(picture(size).png())).toBe(false);
    expect(await judge((await throughJpeg(60)).png())).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("8 times is 4 times, then 2 times; only the first pass is of another kind than clean", () => {
  const named = (wanted: Parameters<typeof passesFor>[0]) => passesFor(wanted).map(({ id }) => String(id));
  expect(named({ factor: 2, kind: "clean", depth: 8 })).toEqual(["upscale-x2"]);
  expect(named({ factor: 8, kind: "clean", depth: 16 })).toEqual(["upscale-x4-16bit", "upscale-x2-16bit"]);
  expect(named({ factor: 8, kind: "compressed", depth: 8 })).toEqual(["upscale-x4-compressed", "upscale-x2"]);
  expect(named({ factor: 2, kind: "compressed", depth: 16 })).toEqual(["upscale-x2-compressed-16bit"]);
  expect(named({ factor: 8, kind: "sharper", depth: 8 })).toEqual(["upscale-x4-sharper", "upscale-x2"]);
  expect(passesFor({ factor: 2, kind: "sharper", depth: 16 })).toEqual([{ id: "upscale-x4-sharper-16bit", scale: 2 }]);
});

// product: upscale-factors
test("the catalogue has a model for every factor and depth", () => {
  for (const factor of [2, 4, 8] as const)
    for (const depth of [8, 16] as const)
      for (const { id } of passesFor({ factor, kind: "clean", depth })) expect(rowOf(id, {}).task).toBe("upscale");
});
