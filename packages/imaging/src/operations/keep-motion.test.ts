import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Note } from "@tintype/contract";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readGainMap } from "../formats/jpeg/gain-map.ts";
import { readMotion } from "../formats/jpeg/motion.ts";
import { readJpegPictures, xmpOf } from "../formats/jpeg/pictures.ts";
import { createImaging } from "../imaging.ts";
import type { Task } from "../task.ts";
import { boxedFilm, motionPhoto, photograph, samsungPhoto, ultraHdr } from "../testing/carrier-pictures.ts";
import { testLimits } from "../testing/run-operation.ts";
import { addStep } from "./steps.ts";

const imaging = createImaging();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "film-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Options = Partial<{ quality: number; max_bytes: number; keep_film: boolean; min_likeness: number }>;

async function run(bytes: Uint8Array, options: Options, name: Task["name"] = "compress") {
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, bytes);
  const outcome = await imaging.run(
    {
      name,
      options: { min_quality: 1, allow_resize: false, metadata: "copyright", ...options },
      ...{ inputPath, outputPath, limits: testLimits },
    },
    { signal: new AbortController().signal, progress: () => {} },
  );
  const result = await readFile(outputPath);
  expect(outcome.result.sizeBytes).toBe(result.length);
  return { ...outcome, bytes: result };
}

const [kept, lost]: [Note, Note] = [{ code: "film-kept" }, { code: "film-left-out" }];

/** The videos that readers find by Container:Directory and by the older MicroVideoOffset: both count from the end of the file. */
function filmsBy(bytes: Uint8Array): Uint8Array[] {
  const xmp = xmpOf(readJpegPictures(bytes).first);
  const lengths = [
    /Item:Semantic="MotionPhoto" Item:Length="(\d+)"/.exec(xmp)?.[1],
    /GCamera:MicroVideoOffset="(\d+)"/.exec(xmp)?.[1],
  ];
  return lengths.map((length) => bytes.subarray(bytes.length - Number(length)));
}

// product: film-kept
test("a film that is asked for stays byte for byte, where its place in XMP says", async () => {
  const source = await motionPhoto();
  const { bytes, notes } = await run(source, { quality: 60, keep_film: true });
  expect(notes).toContainEqual(kept);
  expect(bytes.length).toBeLessThan(source.length);
  for (const found of filmsBy(bytes)) expect(boxedFilm.equals(found)).toBe(true);
  expect(readMotion(bytes)).toMatchObject({ mediaType: "video/mp4", momentUs: 366_667 });
  const picture = readJpegPictures(bytes).first;
  expect(Buffer.compare(bytes.subarray(picture.end), boxedFilm)).toBe(0);
  expect(xmpOf(picture)).toMatch(/dc:rights|photoshop:Credit/);
  const { bytes: without } = await run(source, { quality: 60 });
  expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(without).raw().toBuffer());
});

test.each([{}, { keep_film: false }])("without the wish the film goes, and is named: %o", async (options) => {
  const { bytes, notes } = await run(await motionPhoto(), { quality: 60, ...options });
  expect(notes).toContainEqual(lost);
  expect(readMotion(bytes)).toBeUndefined();
  expect(xmpOf(readJpegPictures(bytes).first)).not.toContain("MotionPhoto");
});

test("film and gain map stand behind the picture in this order, each where its directory says", async () => {
  const { bytes, notes } = await run(await motionPhoto({ hasMap: true }), { quality: 60, keep_film: true });
  expect(notes).toEqual(expect.arrayContaining([kept, { code: "gain-map-kept" }]));
  expect(readGainMap(bytes)?.hdrgm?.get("GainMapMax")).toEqual(["2.5"]);
  const { first, others } = readJpegPictures(bytes);
  const [map] = others;
  expect([map?.semantic, map?.start]).toEqual(["GainMap", first.end]);
  expect(xmpOf(first)).toContain(`Item:Semantic="GainMap" Item:Length="${(map?.end ?? 0) - (map?.start ?? 0)}"`);
  for (const found of filmsBy(bytes)) expect(boxedFilm.equals(found)).toBe(true);
  expect(Buffer.compare(bytes.subarray(map?.end), boxedFilm)).toBe(0);
});

test("a gain map by ISO 21496-1 alone stays beside a film", async () => {
  const source = Buffer.concat([await ultraHdr({ forms: ["iso"] }), boxedFilm]);
  const { bytes, notes } = await run(source, { quality: 60, keep_film: true });
  expect(notes).toEqual(expect.arrayContaining([kept, { code: "gain-map-kept" }]));
  expect(readGainMap(bytes)?.iso).toBeDefined();
  expect(xmpOf(readJpegPictures(bytes).first)).not.toContain("hdrgm:Version");
});

test("of Samsung's trailer the film alone stays", async () => {
  const { bytes, notes } = await run(await samsungPhoto(), { quality: 60, keep_film: true });
  expect(notes).toContainEqual(kept);
  expect(bytes.subarray(-boxedFilm.length).equals(boxedFilm)).toBe(true);
  expect(bytes.includes("MCC_Data")).toBe(false);
});

test("an original that comes back has its film, and is not larger than it came", async () => {
  const source = await motionPhoto({ quality: 50 });
  const { bytes, notes, ...outcome } = await run(source, { quality: 100, keep_film: true });
  expect(outcome).toMatchObject({ nothingSaved: true });
  expect(notes).toContainEqual(kept);
  expect(bytes.length).toBeLessThanOrEqual(source.length);
  for (const found of filmsBy(bytes)) expect(boxedFilm.equals(found)).toBe(true);
});

test("compressed again it keeps its film and its copyright, beside a gain map too", async () => {
  for (const source of [await motionPhoto(), await motionPhoto({ hasMap: true })]) {
    const first = await run(source, { quality: 60, keep_film: true });
    const again = await run(first.bytes, { quality: 60, keep_film: true });
    expect(again.notes).toContainEqual(kept);
    expect(Buffer.from(again.bytes.subarray(-boxedFilm.length)).equals(boxedFilm)).toBe(true);
    const keptNone = (note: Note) => note.code === "metadata" && note.kept.length === 0;
    expect(again.notes.filter(keptNone)).toEqual(first.notes.filter(keptNone));
    expect(again.bytes.length).toBeLessThanOrEqual(first.bytes.length);
  }
});

test("a later step that leaves the picture as it is drops the film, and the size is that of the file", async () => {
  const { bytes: first, ...compressed } = await run(await motionPhoto(), { quality: 60, keep_film: true });
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, first);
  const next = await imaging.run(
    {
      name: "convert",
      options: { target_format: "jpeg", background: "transparent", metadata: "none" },
      ...{ inputPath, outputPath, limits: testLimits },
    },
    { signal: new AbortController().signal, progress: () => {} },
  );
  expect(next.kind).toBe("unchanged");
  const written = (await readFile(outputPath)).length;
  expect(written).toBeLessThan(first.length);
  expect(addStep(compressed, next).result.sizeBytes).toBe(written);
});

test("a film of more than half of the limit does not press the picture", async () => {
  const source = await motionPhoto();
  const limit = Math.floor(boxedFilm.length * 1.9);
  const asked = await run(source, { max_bytes: limit, keep_film: true });
  const without = await run(source, { max_bytes: limit });
  expect(asked.notes).toContainEqual(lost);
  expect(asked.bytes.length).toBe(without.bytes.length);
});

test("a limit of bytes counts the film, which goes where the picture needs them", async () => {
  const source = await motionPhoto();
  const room = Math.floor(source.length * 0.6);
  const fits = await run(source, { max_bytes: room, keep_film: true });
  expect(fits.notes).toContainEqual(kept);
  expect(fits.bytes.length).toBeLessThanOrEqual(room);
  const tight = await run(source, { max_bytes: boxedFilm.length + 300, keep_film: true });
  expect(tight.notes).toContainEqual(lost);
  expect(tight.bytes.length).toBeLessThanOrEqual(boxedFilm.length + 300);
});

test.each([
  ["is cut off", (film: Buffer) => film.subarray(0, -100)],
  ["has no tracks", (film: Buffer) => Buffer.concat([film.subarray(0, 24), film.subarray(-708)])],
  [
    "has a box of no length",
    (film: Buffer) =>
      Buffer.concat([film.subarray(0, 24), Buffer.from("\0\0\0\x04moov", "latin1"), Buffer.alloc(300, 5)]),
  ],
])("a film that %s is left out", async (_, change) => {
  const { bytes, notes } = await run(await motionPhoto({ film: Buffer.from(change(boxedFilm)) }), {
    quality: 60,
    keep_film: true,
  });
  expect(notes).toContainEqual(lost);
  expect(notes).not.toContainEqual(kept);
  expect(readMotion(bytes)).toBeUndefined();
});

test("a picture without a film is compressed as ever", async () => {
  const jpeg = await photograph().jpeg({ quality: 95 }).toBuffer();
  const asked = await run(jpeg, { quality: 60, keep_film: true });
  expect(asked.bytes).toEqual((await run(jpeg, { quality: 60 })).bytes);
});
