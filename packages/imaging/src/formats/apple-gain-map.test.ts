import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Note } from "@tintype/contract";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createImaging } from "../imaging.ts";
import type { Task } from "../task.ts";
import { appleHdr, exifOfApple, mapOfSteps, photograph, xmpOfApple } from "../testing/carrier-pictures.ts";
import { heicFile } from "../testing/heic-file.ts";
import { testLimits } from "../testing/run-operation.ts";
import { appleHeadroom } from "./apple-gain-map.ts";
import { readHeifGainMap } from "./heif/gain-map.ts";
import { openInputFile } from "./input-file.ts";
import { readGainMap } from "./jpeg/gain-map.ts";

const imaging = createImaging();

async function run(bytes: Uint8Array, name: Task["name"], options: object) {
  const folder = await mkdtemp(join(tmpdir(), "apple-map-"));
  try {
    const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
    await writeFile(inputPath, bytes);
    const outcome = await imaging.run(
      { name, options, inputPath, outputPath, limits: testLimits },
      { signal: new AbortController().signal, progress: () => {} },
    );
    return { outcome, notes: outcome.notes, result: await readFile(outputPath) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const within = { min_quality: 40, allow_resize: false };
const [kept, lost]: [Note, Note] = [{ code: "gain-map-kept" }, { code: "gain-map-left-out" }];

/** The stops by which Apple's map brightens a pixel at this value, with the transfer function of BT.709. */
function appleStops(byte: number, headroom: number): number {
  const value = byte / 255;
  const linear = value < 0.081 ? value / 4.5 : ((value + 0.099) / 1.099) ** (1 / 0.45);
  return Math.log2(1 + (headroom - 1) * linear);
}

/** The stops by which a result's gain map brightens pixels at these shares of its width (Ultra HDR, gamma 1). */
async function shownStops(file: Buffer, shares: readonly number[], axis: "x" | "y" = "x"): Promise<number[]> {
  const found = readGainMap(file) ?? (await readAvifGainMap(file));
  if (!found?.hdrgm) throw new Error("The result has no gain map");
  const numberOf = (name: string) => Number(found.hdrgm?.get(name)?.[0]);
  expect(["GainMapMin", "Gamma", "OffsetSDR", "OffsetHDR", "HDRCapacityMin"].map(numberOf)).toEqual([0, 1, 0, 0, 0]);
  expect(numberOf("HDRCapacityMax")).toBe(numberOf("GainMapMax"));
  const { data, info } = await sharp(found.jpeg).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  return shares.map((share) => {
    const [x, y] =
      axis === "x"
        ? [Math.floor(share * info.width), info.height >> 1]
        : [info.width >> 1, Math.floor(share * info.height)];
    return ((data[(y * info.width + x) * info.channels] as number) / 255) * numberOf("GainMapMax");
  });
}

async function readAvifGainMap(file: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), "apple-map-"));
  try {
    await writeFile(join(folder, "file"), file);
    return await readHeifGainMap(await openInputFile(join(folder, "file")), {
      scratchPath: join(folder, "map"),
      limits: testLimits,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The centres of the sixteen steps of `mapOfSteps`. */
const middles = Array.from({ length: 16 }, (_, i) => (i + 0.5) / 16);
const stepAt = (share: number) => 8 + 16 * Math.floor(share * 16);
const expectAlike = (shown: number[], wanted: number[]) => {
  for (const [i, stops] of wanted.entries()) expect(Math.abs((shown[i] as number) - stops)).toBeLessThan(0.06);
};

// maker33 of 1.2 and maker48 of 0.005 give 3 - 70 * 0.005 stops.
const makerNotes: [number, number] = [1200, 5];
const headroom = 2 ** 2.65;

// product: gain-map-kept
describe("Apple's gain map of a JPEG brightens as before", () => {
  const same = (share: number) => share;
  test.each([
    ["compress", { quality: 60, ...within }, same, "x"],
    ["compress", { quality: 60, metadata: "none", ...within }, same, "x"],
    ["convert", { target_format: "jpeg", ...within }, same, "x"],
    ["convert", { target_format: "avif", ...within }, same, "x"],
    ["upload", {}, same, "x"],
    ["resize", { width: 96, method: "fit" }, same, "x"],
    ["crop", { left: 96, top: 0, width: 96, height: 128 }, (share: number) => 0.5 + share / 2, "x"],
    ["turn", { degrees: 180 }, (share: number) => 1 - share, "x"],
    ["turn", { degrees: 90 }, same, "y"],
  ] as const)("after %s %j", async (name, options, place, axis) => {
    const source = await appleHdr({ makerNotes });
    const { result, notes } = await run(source, name, options);
    expect(notes).toContainEqual(kept);
    if (name === "compress" || name === "upload") expect(result.length).toBeLessThanOrEqual(source.length);
    expect(result.includes("Apple iOS")).toBe(false);
    const shares = name === "crop" ? middles.filter((_, i) => i % 2 === 1) : middles;
    const wanted = shares.map((share) => appleStops(stepAt(place(share)), headroom));
    expectAlike(await shownStops(result, shares, axis), wanted);
  });

  test("turned by its EXIF orientation", async () => {
    const { result } = await run(await appleHdr({ makerNotes, orientation: 3 }), "compress", {
      quality: 60,
      ...within,
    });
    const wanted = middles.map((share) => appleStops(stepAt(1 - share), headroom));
    expectAlike(await shownStops(result, middles), wanted);
  });

  test("with the headroom that its XMP names", async () => {
    const { result } = await run(await appleHdr({ headroom: "3.5", makerNotes }), "compress", {
      quality: 60,
      ...within,
    });
    const wanted = middles.map((share) => appleStops(stepAt(share), 3.5));
    expectAlike(await shownStops(result, middles), wanted);
  });

  test("for readers of Ultra HDR", async () => {
    const { result } = await run(await appleHdr({ makerNotes }), "compress", { quality: 60, ...within });
    sharp.unblock({ operation: ["VipsForeignLoadUhdr"] });
    const { gainMap } = await sharp(result).metadata();
    sharp.block({ operation: ["VipsForeignLoadUhdr"] });
    expect(gainMap).toBeDefined();
  });

  test("and is a fixed point of compress", async () => {
    const first = await run(await appleHdr({ makerNotes }), "compress", { quality: 60, ...within });
    const second = await run(first.result, "compress", { quality: 60, ...within });
    expect(second.result.equals(first.result)).toBe(true);
  });
});

test.each([
  ["convert", { target_format: "jpeg", ...within }, "jpeg"],
  ["resize", { width: 32, method: "fit" }, "jpeg"],
  ["compress", { quality: 60, ...within }, "avif"],
  ["compress", { quality: 60, metadata: "none", ...within }, "avif"],
  ["compress", { max_bytes: 3000, ...within }, "avif"],
  ["convert", { target_format: "avif", ...within }, "avif"],
  ["resize", { width: 32, method: "fit", target_format: "avif" }, "avif"],
] as const)("Apple's gain map of a HEIC brightens the result of %s %j as before", async (name, options, format) => {
  // Padding: the result of compress must not be larger than its source.
  const xmp = " ".repeat(4000);
  for (const [file, most] of [
    [{ appleMap: { xmp: xmpOfApple("4") }, xmp }, 4],
    [{ appleMap: { xmp: xmpOfApple() }, exif: exifOfApple({ makerNotes }), xmp }, headroom],
  ] as const) {
    const { outcome, result, notes } = await run(heicFile(file), name, options);
    expect(outcome.result.format).toBe(format);
    expect(notes).toContainEqual(kept);
    expect(result.includes("Apple iOS")).toBe(false);
    expectAlike(await shownStops(result, [0.25, 0.75]), [appleStops(255, most), appleStops(128, most)]);
  }
});

test.each([
  [[500, 5], 1.7],
  [[500, 200], 1.5808],
  [[1200, 5], 2.65],
  [[1200, 200], 2.2424],
] as const)("maker notes %j mean %d stops", ([maker33, maker48], stops) => {
  const exif = exifOfApple({ makerNotes: [maker33, maker48] });
  expect(Math.log2(appleHeadroom({ xmp: xmpOfApple(), exif }) ?? 0)).toBeCloseTo(stops, 5);
});

test.each([
  ["no headroom", {}],
  ["a headroom that is no number", { headroom: "NaN" }],
  ["an infinite headroom", { headroom: "Infinity" }],
  ["a huge headroom", { headroom: "1e300" }],
  ["a negative headroom", { headroom: "-4" }],
  ["a headroom that brightens nothing", { headroom: "1" }],
  ["maker notes that brighten nothing", { makerNotes: [0, 100_000] as [number, number] }],
  ["a map with more pixels than its picture", { makerNotes, picture: photograph(64, 48), map: mapOfSteps(300, 200) }],
])("Apple's gain map with %s is left out and said", async (_, options) => {
  const { notes, result } = await run(await appleHdr(options), "compress", { quality: 60, ...within });
  expect(notes).toContainEqual(lost);
  expect(readGainMap(result)).toBeUndefined();
});

test("a damaged file with Apple's gain map makes a result or is refused as damaged", async () => {
  const whole = await appleHdr({ makerNotes });
  const mapAt = whole.indexOf(Buffer.from([0xff, 0xd8, 0xff]), 2);
  const cuts = [mapAt + 4, mapAt + 700, whole.length - 300].map((end) => whole.subarray(0, end));
  const divided = Buffer.from(whole);
  // Sets the denominators of both maker notes to 0.
  for (let at = divided.indexOf("Apple iOS"), i = 0; i < 2; i++) divided.writeInt32BE(0, at + 44 + 4 + 8 * i);
  const pointsOut = Buffer.from(whole);
  pointsOut.writeUInt32BE(0xffff_fff0, pointsOut.indexOf("Apple iOS") + 14 + 2 + 8);
  for (const bytes of [...cuts, divided, pointsOut]) {
    const { notes, result } = await run(bytes, "compress", { quality: 60, ...within });
    expect(notes).not.toContainEqual(kept);
    expect((await sharp(result, { failOn: "warning" }).raw().toBuffer()).length).toBeGreaterThan(0);
  }
  const exif = exifOfApple({ makerNotes });
  for (let length = 0; length < exif.length; length++)
    expect(() => appleHeadroom({ xmp: xmpOfApple(), exif: exif.subarray(0, length) })).not.toThrow();
});
