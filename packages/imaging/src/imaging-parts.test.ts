import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Note } from "@tintype/contract";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readHeifGainMap } from "./formats/heif/gain-map.ts";
import { openInputFile } from "./formats/input-file.ts";
import { readGainMap } from "./formats/jpeg/gain-map.ts";
import { readParts } from "./formats/read-parts.ts";
import { createImaging } from "./imaging.ts";
import { addStep, standInOf } from "./operations/steps.ts";
import type { Outcome, Task } from "./task.ts";
import {
  hdrAvif,
  isoNumbers,
  jpegCarriers,
  mapOfSteps,
  otherCarriers,
  photograph,
  plainJpegs,
  ultraHdr,
} from "./testing/carrier-pictures.ts";
import { cpuMs } from "./testing/cpu-ms.ts";
import { heicFile } from "./testing/heic-file.ts";
import { secretsIn } from "./testing/metadata-pictures.ts";
import { testLimits } from "./testing/run-operation.ts";

const imaging = createImaging();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parts-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(bytes: Uint8Array, name: Task["name"], options: object = {}, step: Partial<Task> = {}) {
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, bytes);
  const outcome: Outcome = await imaging.run(
    { name, options, inputPath, outputPath, limits: testLimits, ...step },
    { signal: new AbortController().signal, progress: () => {} },
  );
  const result = await readFile(outputPath);
  expect(outcome.result.sizeBytes).toBe(result.length);
  return { outcome, result, notes: outcome.notes };
}

const within = { min_quality: 40, allow_resize: false };
const operations = {
  compress: { quality: 60, ...within },
  resize: { width: 48, method: "fit" },
  convert: { target_format: "webp", ...within },
  crop: { left: 8, top: 8, width: 40, height: 40 },
  turn: { degrees: 90 },
  upload: {},
} as const;
const names = Object.keys(operations) as (keyof typeof operations)[]; // an object's own keys
const keepsMap = (name: string) => name !== "convert";
const aboutParts = [
  "gain-map",
  "depth-map",
  "mattes",
  "film",
  "further-pictures",
  "credentials",
  "layers",
  "trailing-data",
];
const isOfPart = ({ code }: Note) => aboutParts.some((part) => code.startsWith(part));

describe.each(names)("%s", (name) => {
  // product: losses-named
  test.each(Object.entries(jpegCarriers))(
    "names %s that its result does not carry",
    async (carried, { file, lost }) => {
      const { notes } = await run(await file(), name, operations[name]);
      const isKept = keepsMap(name) && /gain map of/.test(carried);
      expect(notes.filter(isOfPart)).toEqual([isKept ? { code: "gain-map-kept" } : lost]);
    },
  );

  test.each(Object.entries(plainJpegs))("says nothing of the parts of a JPEG with %s", async (_, file) => {
    const { notes } = await run(await file(), name, operations[name]);
    expect(notes.filter(isOfPart)).toEqual([]);
  });
});

describe.each(["compress", "convert", "resize"] as const)("%s", (name) => {
  test.each(Object.entries(otherCarriers))("names what %s does not have any more", async (_, { file, lost }) => {
    const options = name === "convert" ? { target_format: "jpeg", ...within } : operations[name];
    const { notes } = await run(await file(), name, options);
    expect(notes.filter(isOfPart)).toEqual([lost]);
  });
});

test.each(Object.entries(otherCarriers))("of %s, upload says what stayed and what went", async (_, { file, lost }) => {
  const { notes } = await run(await file(), "upload");
  // A HEIC is stripped in place: its other pictures stay.
  const stays = /gain-map|depth|mattes/.test(lost.code);
  expect(notes.filter(isOfPart)).toEqual([stays ? { code: lost.code.replace("left-out", "kept") } : lost]);
});

// product: gain-map-kept
test("compress leaves an AVIF with a gain map as it is coded, unless a limit of bytes asks for less", async () => {
  const source = await hdrAvif();
  const { notes, outcome } = await run(source, "compress", operations.compress);
  expect(outcome).toHaveProperty("nothingSaved", true);
  expect(notes).toEqual([{ code: "gain-map-kept" }]);
  const limited = await run(source, "compress", { ...within, max_bytes: Math.floor(source.length * 0.9) });
  expect(limited.notes).toContainEqual({ code: "gain-map-left-out" });
});

test("a file that is cut or overwritten anywhere has parts or none, and no reader fails", async () => {
  const path = join(folder, "damaged");
  let state = 1;
  const random = (below: number) => {
    state = Math.imul(state, 0x9e3779b1) + 0x7f4a7c15;
    return (state >>> 8) % below;
  };
  for (const { file } of [...Object.values(jpegCarriers), ...Object.values(otherCarriers)]) {
    const whole = await file();
    for (let i = 0; i < 12; i++) {
      const damaged = Buffer.from(i % 2 === 0 ? whole : whole.subarray(0, random(whole.length)));
      for (let k = 0; k < 8 && damaged.length > 16; k++)
        damaged[12 + random(Math.min(900, damaged.length - 12))] = random(256);
      await writeFile(path, damaged);
      expect((await readParts(await openInputFile(path))).size).toBeLessThan(5);
      expect(() => readGainMap(damaged)).not.toThrow();
    }
  }
  // A second marker after a long run of fill bytes, and a picture every eleven bytes.
  const start = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 2, 0xff, 0xd9]);
  for (const many of [Buffer.alloc(4e6, 0xff), Buffer.alloc(4e6, start)]) {
    await writeFile(path, Buffer.concat([start, start.subarray(0, 6), many, Buffer.from([0])]));
    const taken = await cpuMs(async () => expect((await readParts(await openInputFile(path))).size).toBeGreaterThan(0));
    expect(taken).toBeLessThan(6000);
  }
});

/** The contents of a file of two pictures, read by the tables of the standards, without the code under test. */
function readUltraHdr(file: Buffer) {
  const index = file.indexOf("MPF\0") + 4;
  expect(file.toString("latin1", index, index + 4)).toBe("MM\0*");
  expect(file.readUInt16BE(index - 8)).toBe(0xffe2);
  const list = index + file.readUInt32BE(index + 8 + 2 + 2 * 12 + 8);
  expect(file.readUInt32BE(list)).toBe(0x030000);
  const [primaryBytes, mapBytes] = [file.readUInt32BE(list + 4), file.readUInt32BE(list + 20)];
  const mapAt = index + file.readUInt32BE(list + 24);
  expect(mapAt).toBe(primaryBytes);
  expect(mapAt + mapBytes).toBe(file.length);
  const [primary, map] = [file.subarray(0, primaryBytes), file.subarray(mapAt)];
  for (const one of [primary, map]) {
    expect(one.readUInt16BE()).toBe(0xffd8);
    expect(one.readUInt16BE(one.length - 2)).toBe(0xffd9);
  }
  return { primary, map };
}

const mapLength = (primary: Buffer) => Number(/Item:Length="(\d+)"/.exec(primary.toString("latin1"))?.[1]);
const columns = async (map: Buffer) => {
  const { data, info } = await sharp(map).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  return {
    ...info,
    at: (share: number) => data[Math.floor(info.height / 2) * info.width + Math.floor(share * info.width)],
  };
};

// product: gain-map-kept
test.each([["hdrgm"], ["iso"], ["hdrgm", "iso"]] as const)(
  "compress keeps the gain map of %s %s, its numbers and nothing private",
  async (...forms) => {
    const source = await ultraHdr({ forms });
    const { result, notes, outcome } = await run(source, "compress", { ...operations.compress, metadata: "none" });
    expect(notes[0]).toEqual({ code: "gain-map-kept" });
    expect(result.length).toBeLessThan(source.length);
    expect(outcome).not.toHaveProperty("nothingSaved");
    expect(secretsIn(result)).toEqual([]);
    const { primary, map } = readUltraHdr(result);
    const [words, mapWords] = [primary.toString("latin1"), map.toString("latin1")];
    const usesXmp = forms.some((form) => form === "hdrgm");
    expect(words.includes('hdrgm:Version="1.0"')).toBe(usesXmp);
    if (usesXmp) {
      expect(mapLength(primary)).toBe(map.length);
      expect(mapWords).toContain('hdrgm:GainMapMax="2.5"');
      expect(mapWords).toContain("<rdf:li>1.0</rdf:li><rdf:li>1.1</rdf:li><rdf:li>1.2</rdf:li>");
    }
    const usesIso = forms.some((form) => form === "iso");
    expect(words.includes("urn:iso:std:iso:ts:21496:-1\0\0\0\0\0")).toBe(usesIso);
    expect(map.includes(isoNumbers)).toBe(usesIso);
    // libultrahdr finds it too.
    sharp.unblock({ operation: ["VipsForeignLoadUhdr"] });
    const { gainMap } = await sharp(result).metadata();
    sharp.block({ operation: ["VipsForeignLoadUhdr"] });
    expect(gainMap?.image.equals(map)).toBe(true);
    const shown = await sharp(result, { failOn: "warning" }).raw().toBuffer();
    expect(shown.equals(await sharp(primary).raw().toBuffer())).toBe(true);
    expect(await sharp(map).metadata()).toMatchObject({ width: 96, height: 64, channels: 1 });
  },
);

test("metadata that stays and the container's directory share one packet of XMP", async () => {
  const { result } = await run(await ultraHdr(), "compress", { ...operations.compress, metadata: "copyright" });
  const { primary, map } = readUltraHdr(result);
  expect(primary.toString("latin1").split("http://ns.adobe.com/xap/1.0/\0")).toHaveLength(2);
  const { xmp, exif } = await sharp(result).metadata();
  expect(xmp?.toString()).toContain("<rdf:li>Ada Photographer</rdf:li>");
  expect(xmp?.toString()).toContain(`Item:Length="${map.length}"`);
  expect(exif?.includes("Copyright Ada 2026")).toBe(true);
  expect(secretsIn(result)).toEqual([]);
});

test("a result with its gain map is a fixed point", async () => {
  const first = await run(await ultraHdr(), "compress", operations.compress);
  const second = await run(first.result, "compress", operations.compress);
  expect(second.outcome).toHaveProperty("nothingSaved", true);
  expect(second.result.equals(first.result)).toBe(true);
});

test("the gain map turns with its picture, and lies as it lay where the original comes back", async () => {
  const source = await ultraHdr({ orientation: 6 });
  const { result } = await run(source, "compress", operations.compress);
  expect(await sharp(result).metadata()).toMatchObject({ width: 128, height: 192 });
  const { data, info } = await sharp(readUltraHdr(result).map)
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([64, 96]);
  // The left side is now at the top.
  expect(data[32] ?? 255).toBeLessThan(40);
  expect(data[95 * 64 + 32] ?? 0).toBeGreaterThan(215);

  const again = await run(source, "upload");
  expect(await sharp(again.result).metadata()).toMatchObject({ orientation: 6 });
  expect(await sharp(readUltraHdr(again.result).map).metadata()).toMatchObject({ width: 96, height: 64 });
});

test("resize makes the gain map smaller and cuts it as the picture", async () => {
  const source = await ultraHdr();
  const half = readUltraHdr((await run(source, "resize", { width: 96, method: "fit" })).result);
  expect(await sharp(half.map).metadata()).toMatchObject({ width: 48, height: 32 });
  // A quarter is cut off on either side.
  const middle = readUltraHdr((await run(source, "resize", { width: 96, height: 128, method: "fill" })).result);
  const cut = await columns(middle.map);
  expect([cut.width, cut.height]).toEqual([48, 64]);
  expect(Math.abs((cut.at(0.02) ?? 0) - (8 + 16 * 4))).toBeLessThan(6);
  expect(Math.abs((cut.at(0.98) ?? 0) - (8 + 16 * 11))).toBeLessThan(6);
  const large = readUltraHdr((await run(source, "resize", { width: 384, method: "fit", enlarge: true })).result);
  expect(await sharp(large.map).metadata()).toMatchObject({ width: 96, height: 64 });
});

test("steps hand the gain map on: turned, cut and made smaller as the picture", async () => {
  const source = await ultraHdr();
  const steps = [
    ["turn", { degrees: 90, flip: "vertical" }],
    ["crop", { left: 0, top: 96, width: 128, height: 96 }],
    ["resize", { width: 64, method: "fit" }],
    ["compress", operations.compress],
  ] as const;
  let [bytes, standsFor, sum]: [Buffer, Task["standsFor"], Outcome | undefined] = [source, undefined, undefined];
  for (const [name, options] of steps) {
    const isIntermediate = name !== "compress";
    const done = await run(bytes, name, options, { isIntermediate, ...(standsFor ? { standsFor } : {}) });
    bytes = done.result;
    standsFor = standInOf(done.outcome);
    sum = sum ? addStep(sum, done.outcome) : done.outcome;
  }
  expect(sum?.notes.filter(isOfPart)).toEqual([{ code: "gain-map-kept" }]);
  const { data, info } = await sharp(readUltraHdr(bytes).map)
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([32, 24]);
  // Rotated by 90 degrees and mirrored, the left side is at the bottom; the crop keeps the lower half.
  expect(Math.abs((data[16] ?? 0) - (8 + 16 * 7))).toBeLessThan(10);
  expect(Math.abs((data[23 * 32 + 16] ?? 255) - 8)).toBeLessThan(10);
});

test("the gain map is straightened with its picture", async () => {
  const source = await ultraHdr();
  const { result, notes } = await run(source, "crop", { straighten: 20, ratio: "1:1" });
  expect(notes).toContainEqual({ code: "gain-map-kept" });
  const { width = 0, height } = await sharp(result).metadata();
  const { map } = readUltraHdr(result);
  const { data, info } = await sharp(map).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([Math.round(width / 2), Math.round((height ?? 0) / 2)]);
  // Values rise from left to right. Rotated clockwise, the lower left comes from further right than the upper left.
  const at = (x: number, y: number) => data[y * info.width + x] ?? 0;
  expect(at(1, 1)).toBeLessThan(at(1, info.height - 2) + 40);
  expect(Math.abs(at(1, 1) - at(1, info.height - 2))).toBeGreaterThan(20);
});

test("of several steps the last one says whether a part stayed, and a step with nothing to do says what went", async () => {
  const kept = await run(await ultraHdr(), "compress", { ...operations.compress, metadata: "copyright" });
  const lost = await run(kept.result, "convert", operations.convert);
  const both = addStep(kept.outcome, lost.outcome);
  expect(both.notes.filter(isOfPart)).toEqual([{ code: "gain-map-left-out" }]);
  const film = await jpegCarriers["a film at its end"]?.file();
  const same = await run(film ?? Buffer.alloc(0), "convert", { target_format: "jpeg", ...within });
  expect(addStep(same.outcome, lost.outcome).notes).toContainEqual({ code: "film-left-out" });
});

// product: gain-map-kept
test("a HEIC's gain map by ISO 21496-1 goes into the JPEG that is made of it", async () => {
  const source = heicFile({ toneMap: Buffer.concat([Buffer.from([0]), isoNumbers]) });
  for (const [name, options] of [
    ["convert", { target_format: "jpeg", ...within }],
    ["convert", { target_format: "jpeg", max_bytes: 4000, ...within }],
    ["resize", { width: 32, method: "fit" }],
  ] as const) {
    const { result, notes } = await run(source, name, options);
    expect(notes[0]).toEqual({ code: "gain-map-kept" });
    const { primary, map } = readUltraHdr(result);
    expect(map.includes(isoNumbers)).toBe(true);
    expect(mapLength(primary)).toBe(map.length);
    for (const [name, value] of [
      ["GainMapMin", "0"],
      ["GainMapMax", "2"],
      ["Gamma", "1"],
      ["OffsetSDR", "0.015625"],
      ["OffsetHDR", "0.015625"],
      ["HDRCapacityMin", "0"],
      ["HDRCapacityMax", "2"],
    ])
      expect(map.toString("latin1")).toContain(`hdrgm:${name}="${value}"`);
    const { width, at } = await columns(map);
    expect(width).toBe(name === "resize" ? 32 : 64);
    expect(at(0.25) ?? 0).toBeGreaterThan(245);
    expect(Math.abs((at(0.75) ?? 0) - 128)).toBeLessThan(8);
  }
  const turned = heicFile({ toneMap: Buffer.concat([Buffer.from([0]), isoNumbers]), turns: 1 });
  expect((await run(turned, "convert", { target_format: "jpeg", ...within })).notes).toContainEqual({
    code: "gain-map-left-out",
  });
});

// product: gain-map-kept
describe("an AVIF with a gain map", () => {
  const stepsOf = async (avif: Buffer) => {
    const path = join(folder, "hdr.avif");
    await writeFile(path, avif);
    const map = await readHeifGainMap(await openInputFile(path), { scratchPath: `${path}.map`, limits: testLimits });
    const { data, info } = await sharp(map?.jpeg ?? Buffer.alloc(0))
      .toColourspace("b-w")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (share: number) => data[(info.height >> 1) * info.width + Math.floor(share * info.width)] ?? 0;
    return { hdrgm: map?.hdrgm, width: info.width, height: info.height, at };
  };

  test.each([["hdrgm"], ["iso"]] as const)("is made of a JPEG with one of %s", async (form) => {
    const { result, notes } = await run(await ultraHdr({ forms: [form], orientation: 3 }), "convert", {
      target_format: "avif",
      metadata: "copyright",
      ...within,
    });
    expect(notes[0]).toEqual({ code: "gain-map-kept" });
    expect(secretsIn(result)).toEqual([]);
    const { hdrgm, width, height, at } = await stepsOf(result);
    expect([width, height]).toEqual([96, 64]);
    // Rotated by 180 degrees with its picture.
    for (const share of [0.03, 0.47, 0.97])
      expect(Math.abs(at(share) - (8 + 16 * Math.floor((1 - share) * 16)))).toBeLessThan(8);
    expect(hdrgm?.get("GainMapMax")).toEqual(form === "iso" ? ["2"] : ["2.5", "2.5", "2.5"]);
    expect(hdrgm?.get("Gamma")).toEqual(form === "iso" ? ["1"] : ["1", "1.1", "1.2"]);
    expect(hdrgm?.get("HDRCapacityMax")).toEqual([form === "iso" ? "2" : "2.5"]);
    // Readers without gain map support show the picture.
    const [shown, wanted] = await Promise.all([
      sharp(result).rotate(180).raw().toBuffer(),
      photograph().raw().toBuffer(),
    ]);
    const sum = wanted.reduce((total, value, i) => total + Math.abs(value - (shown[i] ?? 255)), 0);
    expect(shown.length).toBe(wanted.length);
    expect(sum / wanted.length).toBeLessThan(20);
  });

  test("keeps it in resize, crop, turn, a limit of bytes and on the way back to JPEG", async () => {
    const { result: avif } = await run(await ultraHdr(), "convert", { target_format: "avif", quality: 95, ...within });
    for (const [name, options, width, height] of [
      ["resize", { width: 96, method: "fit" }, 48, 32],
      ["crop", { left: 96, top: 0, width: 96, height: 128 }, 48, 64],
      ["turn", { degrees: 90 }, 64, 96],
      ["compress", { max_bytes: Math.floor(avif.length * 0.7), ...within }, 96, 64],
      ["compress", { quality: 60, ...within }, 96, 64],
      ["upload", {}, 96, 64],
    ] as const) {
      const { outcome, result, notes } = await run(avif, name, options);
      expect(outcome.result.format).toBe("avif");
      expect(notes).toContainEqual({ code: "gain-map-kept" });
      expect(result.toString("latin1").split("tmap")).toHaveLength(3); // a brand and an item
      expect(await stepsOf(result)).toMatchObject({ width, height });
    }
    const { result, notes } = await run(avif, "convert", { target_format: "jpeg", ...within });
    expect(notes).toContainEqual({ code: "gain-map-kept" });
    expect((await columns(readUltraHdr(result).map)).width).toBe(96);
  });

  test("gets it from the steps before it", async () => {
    const first = await run(await ultraHdr(), "turn", { degrees: 180 }, { isIntermediate: true });
    const standsFor = standInOf(first.outcome);
    const { result } = await run(
      first.result,
      "convert",
      { target_format: "avif", ...within },
      standsFor ? { standsFor } : {},
    );
    expect((await stepsOf(result)).at(0.03)).toBeGreaterThan(200);
  });
});

test("a limit of bytes counts the gain map, which goes where there is no room for it", async () => {
  const source = await ultraHdr();
  const limit = Math.floor(source.length * 0.6);
  const roomy = await run(source, "compress", { max_bytes: limit, ...within });
  expect(roomy.notes[0]).toEqual({ code: "gain-map-kept" });
  expect(readUltraHdr(roomy.result).map.length).toBeGreaterThan(0);
  expect(roomy.result.length).toBeLessThanOrEqual(limit);
  const lowest = (await run(await photograph().jpeg({ quality: 95 }).toBuffer(), "compress", { quality: 40 })).result;
  const tight = await run(source, "compress", { max_bytes: lowest.length + 40, ...within });
  expect(tight.notes).toContainEqual({ code: "gain-map-left-out" });
  expect(tight.result.length).toBeLessThanOrEqual(lowest.length + 40);
});

test("convert to the same format keeps the gain map as it is, and names what goes", async () => {
  const { outcome, result, notes } = await run(await ultraHdr(), "convert", {
    target_format: "jpeg",
    metadata: "none",
    ...within,
  });
  expect(outcome.kind).toBe("unchanged");
  expect(notes).toEqual([
    { code: "gain-map-kept" },
    expect.objectContaining({ kept: [], removed: expect.arrayContaining(["location"]) }),
  ]);
  expect(readUltraHdr(result).map.length).toBeGreaterThan(0);
  expect(secretsIn(result)).toEqual([]);
});

test.each([
  ["is cut off", (map: Buffer) => map.subarray(0, map.length - 200)],
  ["has more pixels than its picture", undefined],
])("a gain map that %s is left out and said, and its picture is well", async (_, damage) => {
  const huge = await ultraHdr({ picture: photograph(64, 48), map: mapOfSteps(300, 200) });
  const good = await ultraHdr();
  const at = good.indexOf(Buffer.from([0xff, 0xd8, 0xff]), 2);
  const source = damage ? Buffer.concat([good.subarray(0, at), damage(good.subarray(at))]) : huge;
  const { notes, result } = await run(source, "compress", operations.compress);
  expect(notes).toContainEqual({ code: "gain-map-left-out" });
  expect((await sharp(result, { failOn: "warning" }).raw().toBuffer()).length).toBeGreaterThan(0);
});
