import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WebSet } from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import fc from "fast-check";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drawPhoto } from "../../../codecs/src/testing/drawn-pictures.ts";
import { driftingPhoto } from "../../../codecs/src/testing/moving-gifs.ts";
import { createImaging } from "../imaging.ts";
import type { PictureLimits, Progress } from "../task.ts";
import { noisePicture, secretsIn, withCamera } from "../testing/metadata-pictures.ts";
import { testLimits } from "../testing/run-operation.ts";
import { predictStep } from "./predict-step.ts";
import { worthwhileFormats } from "./web-set/plan.ts";

let folder: string;
const imaging = createImaging();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "web-set-"));
});
afterEach(() => rm(folder, { recursive: true }));

type Call = {
  options?: object;
  name?: string;
  limits?: PictureLimits;
  signal?: AbortSignal;
  progress?: (report: Progress) => void;
};

async function webSet(
  bytes: Uint8Array,
  { options = {}, name = "Mein Foto 1.png", limits = testLimits, ...call }: Call,
) {
  const [inputPath, outputPath] = [join(folder, "in"), join(folder, "out")];
  await writeFile(inputPath, bytes);
  const context = { signal: call.signal ?? new AbortController().signal, progress: call.progress ?? (() => {}) };
  const parsed = taskOptions["web-set"].parse(options);
  const task = { name: "web-set", options: parsed, inputPath, outputPath, pictureName: name, limits } as const;
  const outcome = await imaging.run(task, context);
  if (outcome.kind !== "done") throw new Error("a web set is never unchanged");
  expect((await readdir(folder)).sort()).toEqual(["in", "out"]);
  const zip = await readFile(outputPath);
  expect(outcome.result.sizeBytes).toBe(zip.length);
  const files = unzipSync(zip);
  const read = (file: string) => Buffer.from(files[file] ?? []);
  return { ...outcome, files, read, set: JSON.parse(read("set.json").toString()) as WebSet };
}

/** A photograph of this size; with `isCut` its corners are transparent. */
function photo({ width, height, isCut = false }: { width: number; height: number; isCut?: boolean }): Promise<Buffer> {
  const { data, channels } = drawPhoto({ width, height });
  const picture = sharp(data, { raw: { width, height, channels } });
  const round = `<svg width="${width}" height="${height}"><ellipse cx="50%" cy="50%" rx="50%" ry="50%"/></svg>`;
  return (isCut ? picture.ensureAlpha().composite([{ input: Buffer.from(round), blend: "dest-in" }]) : picture)
    .png()
    .toBuffer();
}

test("a set has every width in every format, its markup and the same as data", async () => {
  const { result, set, files, read, notes } = await webSet(await photo({ width: 320, height: 200 }), {
    options: { widths: "80, 160", alt: 'A "boat" & <sea>', sizes: "(min-width: 40em) 50vw, 100vw" },
  });
  const names = ["avif", "webp", "jpg"].flatMap((ending) => [80, 160].map((width) => `Mein-Foto-1-${width}.${ending}`));
  expect(Object.keys(files)).toEqual([...names, "picture.html", "set.json"]);
  expect(result).toMatchObject({ format: "zip", width: 160, height: 100 });
  expect(notes).toEqual([]);
  expect(set).toMatchObject({ width: 160, height: 100, hasTransparency: false, alt: 'A "boat" & <sea>' });
  for (const { name, type, width, height, bytes } of set.files) {
    expect(read(name).length).toBe(bytes);
    const { format, ...header } = await sharp(read(name)).metadata();
    expect(header).toMatchObject({ width, height });
    expect(type).toBe(format === "heif" ? "image/avif" : `image/${format}`);
  }
  const sizes = 'sizes="(min-width: 40em) 50vw, 100vw"';
  expect(read("picture.html").toString()).toBe(`<picture>
  <source type="image/avif" srcset="Mein-Foto-1-80.avif 80w, Mein-Foto-1-160.avif 160w" ${sizes}>
  <source type="image/webp" srcset="Mein-Foto-1-80.webp 80w, Mein-Foto-1-160.webp 160w" ${sizes}>
  <img src="Mein-Foto-1-160.jpg" srcset="Mein-Foto-1-80.jpg 80w, Mein-Foto-1-160.jpg 160w" ${sizes} width="160" height="100" alt="A &quot;boat&quot; &amp; &lt;sea&gt;" loading="lazy" decoding="async" style="background: url(${set.placeholder}) center / cover no-repeat">
</picture>
`);
  const placeholder = Buffer.from(set.placeholder.replace("data:image/webp;base64,", ""), "base64");
  expect(await sharp(placeholder).metadata()).toMatchObject({ format: "webp", width: 20, height: 13 });
});

test("all pictures of a set show the same, resized in linear light as resize does it", async () => {
  const bytes = await photo({ width: 240, height: 160 });
  const pixels: Record<string, Buffer> = {};
  for (const format of ["avif", "webp", "png"]) {
    const { read, set } = await webSet(bytes, { options: { widths: "120", formats: format, quality: "100" } });
    pixels[format] = await sharp(read(set.files[0]?.name ?? ""))
      .removeAlpha()
      .raw()
      .toBuffer();
    await rm(join(folder, "out"));
  }
  const [inputPath, outputPath] = [join(folder, "in"), join(folder, "resized")];
  await imaging.run(
    { name: "resize", options: taskOptions.resize.parse({ width: "120" }), inputPath, outputPath, limits: testLimits },
    { signal: new AbortController().signal, progress: () => {} },
  );
  const expected = await sharp(outputPath).raw().toBuffer();
  for (const [format, samples] of Object.entries(pixels)) expect(samples.equals(expected), format).toBe(true);
});

test("a format that is no smaller than a later one is left out, and the note says which", async () => {
  const [width, height] = [120, 80];
  let state = 17;
  const pixels = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    state = (state * 48271) % 2147483647; // the Park-Miller generator
    return ((Math.floor(at / 3) % width) / width) * 200 + (state / 2147483647) * 50;
  });
  const grainy = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
  const { set, files, notes, read } = await webSet(grainy, { options: { widths: "40,80", quality: "95" } });
  expect(set.files.map(({ type }) => type)).toEqual(["image/avif", "image/avif", "image/jpeg", "image/jpeg"]);
  expect(Object.keys(files).filter((name) => name.endsWith(".webp"))).toEqual([]);
  expect(read("picture.html").toString()).not.toContain("webp 40w");
  expect(notes).toEqual([{ code: "set-format-left-out", format: "webp" }]);
  const alone = await webSet(grainy, { options: { widths: "40,80", quality: "95", formats: "webp" } });
  expect(alone.set.files).toHaveLength(2);
});

test("each format of a set is smaller than every later one, and the last is always there", () => {
  const formats = ["avif", "webp", "png", "jpeg"] as const;
  fc.assert(
    fc.property(fc.tuple(...formats.map(() => fc.nat(9))), (sizes) => {
      const bytesOf = (format: (typeof formats)[number]) => sizes[formats.indexOf(format)] ?? 0;
      const kept = worthwhileFormats(formats, (format) => bytesOf(format));
      expect(kept.at(-1)).toBe("jpeg");
      for (const [at, format] of kept.entries())
        for (const later of kept.slice(at + 1)) expect(bytesOf(format)).toBeLessThan(bytesOf(later));
      // Each that is left out had a later one that is no larger.
      for (const [at, format] of formats.entries())
        if (!kept.includes(format))
          expect(formats.slice(at + 1).some((later) => bytesOf(later) <= bytesOf(format))).toBe(true);
    }),
  );
});

test("no picture is enlarged: wider sizes become the picture's own, once", async () => {
  const bytes = await photo({ width: 100, height: 60 });
  const { set, notes, result } = await webSet(bytes, { options: { widths: "50,400,800", formats: "webp" } });
  expect(set.files.map(({ name }) => name)).toEqual(["Mein-Foto-1-50.webp", "Mein-Foto-1-100.webp"]);
  expect(result).toMatchObject({ width: 100, height: 60 });
  expect(notes).toEqual([{ code: "set-not-enlarged", width: 100 }]);
});

test("transparency is kept: PNG takes the place of JPEG, and no placeholder shines through", async () => {
  const { set, read } = await webSet(await photo({ width: 320, height: 240, isCut: true }), {
    options: { widths: "320" },
  });
  expect(set.files.map(({ type }) => type)).toEqual(["image/avif", "image/webp", "image/png"]);
  for (const { name } of set.files) expect((await sharp(read(name)).stats()).isOpaque, name).toBe(false);
  expect(read("picture.html").toString()).not.toContain("style=");
  const opaque = await sharp(await photo({ width: 160, height: 120 }))
    .ensureAlpha()
    .png()
    .toBuffer();
  const other = await webSet(opaque, { options: { widths: "80" } });
  expect(other.set.files.at(-1)?.type).toBe("image/jpeg");
});

test("also a single transparent pixel of a large picture is kept", async () => {
  const [width, height] = [900, 600];
  const pixels = Buffer.alloc(width * height * 4, 255);
  pixels[3] = 0;
  const bytes = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const { set } = await webSet(bytes, { options: { widths: "900", formats: "jpeg" } });
  expect(set.files.map(({ type }) => type)).toEqual(["image/png"]);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><rect width="900" height="600" rx="4"/></svg>`;
  const drawn = await webSet(Buffer.from(drawing), { options: { widths: "900", formats: "jpeg" } });
  expect(drawn.set.files.map(({ type }) => type)).toEqual(["image/png"]);
});

test("no file of a set has a name that is too long for a folder", async () => {
  const bytes = await photo({ width: 16, height: 16 });
  for (const letter of ["画", "a", "𠮷"]) {
    const { set } = await webSet(bytes, { options: { formats: "webp" }, name: `${letter.repeat(240)}.png` });
    const [{ name = "" } = {}] = set.files;
    // A temporary file name is 54 bytes longer.
    expect(Buffer.byteLength(name), letter).toBeLessThan(200);
    expect(name).toMatch(new RegExp(`^${letter}+-16[.]webp$`, "u"));
  }
});

test("an SVG is drawn at each width, also above its own", async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="10" height="10" fill="red"/></svg>`;
  const { set, read } = await webSet(Buffer.from(svg), { options: { widths: "200,400", formats: "png" } });
  expect(set.files.map(({ width, height }) => [width, height])).toEqual([
    [200, 100],
    [400, 200],
  ]);
  const row = await sharp(read("Mein-Foto-1-400.png"))
    .extract({ left: 198, top: 50, width: 4, height: 1 })
    .ensureAlpha()
    .raw()
    .toBuffer();
  expect([...row].filter((_, at) => at % 4 === 3)).toEqual([255, 255, 0, 0]);
});

test("a picture of any shape has a placeholder within 20 px", async () => {
  for (const [width, height, expected] of [
    [8, 6000, { width: 1, height: 20 }],
    [6000, 8, { width: 20, height: 1 }],
    [3, 2, { width: 3, height: 2 }],
  ] as const) {
    const { set } = await webSet(await photo({ width, height }), { options: { widths: "640", formats: "webp" } });
    const placeholder = Buffer.from(set.placeholder.replace("data:image/webp;base64,", ""), "base64");
    expect(await sharp(placeholder).metadata()).toMatchObject(expected);
  }
});

test("the time for an SVG follows from the largest drawing, of which progress tells", async () => {
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>`,
  );
  const reported: (number | string)[] = [];
  const limits = { ...testLimits, reportMegapixels: (megapixels: number) => void reported.push(megapixels) };
  await webSet(svg, {
    options: { widths: "100,400", formats: "webp" },
    limits,
    progress: ({ stage = "drawn" }) => reported.push(stage),
  });
  expect(reported.slice(0, 4)).toEqual([0.0002, 0.08, "drawn", "writing-set"]);
});

test("an animation, too many pixels and sides that a format cannot hold are refused, before and in the quote alike", async () => {
  await expect(webSet(driftingPhoto(), {})).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("web set"),
  });
  const limits = { megapixelsIn: 25, megapixelsOut: 0.01 };
  const bytes = await photo({ width: 200, height: 100 });
  const tooLarge = { code: "too-many-pixels" };
  await expect(webSet(bytes, { options: { widths: "200" }, limits })).rejects.toMatchObject(tooLarge);
  const together = { code: "too-many-pixels", detail: expect.stringContaining("3 sizes") };
  await expect(webSet(bytes, { options: { widths: "138,139,140" }, limits })).rejects.toMatchObject(together);
  const quoted = (widths: string, picture: { width: number; height: number; frames?: number }) => () =>
    predictStep(
      { operation: "web-set", options: taskOptions["web-set"].parse({ widths }) },
      { picture: { format: "gif", ...picture }, limits: testLimits },
    );
  expect(quoted("640", { width: 100, height: 100, frames: 2 })).toThrow("web set");
  expect(quoted("1000", { width: 1000, height: 16_384 })).toThrow("WebP holds up to 16,383 pixels");
  expect(quoted("640", { width: 1280, height: 640 })()).toMatchObject({
    result: { width: 640, height: 320 },
    losses: [],
  });
});

test("each picture of a set keeps the metadata that was asked for, and no more", async () => {
  const source = await withCamera(noisePicture()).jpeg().toBuffer();
  const { read, set, notes } = await webSet(source, { options: { widths: "40" } });
  expect(notes.filter((note) => note.code === "metadata" && note.kept.length > 0)).toHaveLength(1);
  for (const { name } of set.files) {
    expect(secretsIn(read(name)), name).toEqual([]);
    expect(read(name).includes("Photographer"), name).toBe(true);
  }
  const bare = await webSet(source, { options: { widths: "40", metadata: "none" } });
  for (const { name } of bare.set.files) expect((await sharp(bare.read(name)).metadata()).exif).toBeUndefined();
});

test("its progress names each file, and a stop ends it", async () => {
  const bytes = await photo({ width: 120, height: 80 });
  const reported: Progress[] = [];
  await webSet(bytes, { options: { widths: "40,80" }, progress: (report) => reported.push(report) });
  const fractions = reported.map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(reported.flatMap(({ stage }) => stage ?? [])).toHaveLength(6);
  const stopping = new AbortController();
  const stopped = webSet(bytes, { signal: stopping.signal, progress: ({ stage }) => stage && stopping.abort() });
  await expect(stopped).rejects.toThrow("abort");
});

test("the same picture gives the same bytes", async () => {
  const bytes = await photo({ width: 60, height: 40 });
  const [one, two] = [await webSet(bytes, {}), await webSet(bytes, {})];
  expect(one.result.sizeBytes).toBe(two.result.sizeBytes);
  expect(one.files).toEqual(two.files);
});
