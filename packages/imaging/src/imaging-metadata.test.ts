import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type InputFormat, metadataChoices, outputFormats } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createImaging } from "./imaging.ts";
import { metadataOf } from "./metadata/choice.ts";
import type { Outcome, Task } from "./task.ts";
import { xmpOfApple } from "./testing/carrier-pictures.ts";
import { casesOfRun } from "./testing/deep.ts";
import { heicFile } from "./testing/heic-file.ts";
import {
  iptcDataset,
  noisePicture,
  secretsIn,
  withCamera,
  withIptc,
  xmpOfAgency,
} from "./testing/metadata-pictures.ts";
import { testLimits } from "./testing/run-operation.ts";

const imaging = createImaging();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "metadata-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Done = Extract<Outcome, { kind: "done" }>;
async function run(bytes: Uint8Array, task: Pick<Task, "name"> & Partial<Task>) {
  const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
  await writeFile(inputPath, bytes);
  const outcome = await imaging.run(
    { options: {}, inputPath, outputPath, limits: testLimits, ...task },
    { signal: new AbortController().signal, progress: () => {} },
  );
  const result = await readFile(outputPath);
  expect(outcome.result.sizeBytes).toBe(result.length);
  return { outcome: outcome as Done, result };
}

const smooth = (): Sharp =>
  sharp({ create: { width: 96, height: 64, channels: 3, background: "#3377aa" } }).composite([
    { input: { create: { width: 30, height: 20, channels: 3, background: "#cc4411" } } },
  ]);
const sources = {
  jpeg: () => withCamera(noisePicture()).jpeg().toBuffer(),
  png: () => withCamera(noisePicture()).png().toBuffer(),
  webp: () => withCamera(noisePicture()).webp().toBuffer(),
  tiff: () => withCamera(noisePicture()).tiff({ compression: "lzw" }).toBuffer(),
  avif: () => withCamera(noisePicture()).avif({ effort: 1 }).toBuffer(),
} as const satisfies Partial<Record<InputFormat, () => Promise<Buffer>>>;
type SourceFormat = keyof typeof sources;
const sourceFormats = Object.keys(sources) as SourceFormat[]; // an object's own keys

const options = {
  compress: { quality: 60, min_quality: 40, allow_resize: false },
  resize: { width: 48, method: "fill" },
  crop: { left: 8, top: 8, width: 40, height: 40 },
  turn: { degrees: 90 },
} as const;
const operations = Object.keys(options) as (keyof typeof options)[]; // an object's own keys

// product: metadata-kept
test.each(casesOfRun(operations.flatMap((name) => sourceFormats.map((format) => [name, format] as const))))(
  "%s of a %s: the place goes whatever is chosen, copyright stays by default, and the camera where it is asked for",
  async (name, format) => {
    const source = await sources[format]();
    for (const metadata of metadataChoices) {
      const { result, outcome } = await run(source, { name, options: { ...options[name], metadata } });
      expect(secretsIn(result)).toEqual([]);
      const { xmp, orientation } = await sharp(result).metadata();
      const packet = xmp?.toString() ?? "";
      expect([1, undefined]).toContain(orientation);
      if (name === "compress") expect(result.length).toBeLessThanOrEqual(source.length);
      if (metadata === "none") {
        expect(result.includes("Ada Photographer")).toBe(false);
        expect(outcome.notes.at(-1)).toMatchObject({ kept: [], removed: expect.arrayContaining(["copyright"]) });
        continue;
      }
      expect(packet).toContain("<rdf:li>Ada Photographer</rdf:li>");
      expect(packet).toContain("Agency &amp; Sons");
      expect(outcome.notes.at(-1)).toMatchObject({
        kept: expect.arrayContaining(["copyright", "creator", "licence", "credit-line", "date"]),
        removed: expect.arrayContaining(["location"]),
      });
      // libvips writes no EXIF to TIFF.
      if (format === "tiff") continue;
      expect(result.includes("Copyright Ada 2026")).toBe(true);
      expect(result.includes("2026:05:01 10:20:30")).toBe(true);
      expect(result.includes("A-CAMERA-MODEL")).toBe(metadata === "all-but-place");
      expect(result.includes("A-LENS")).toBe(metadata === "all-but-place");
    }
  },
);

test.each(casesOfRun(outputFormats.flatMap((target) => sourceFormats.map((format) => [format, target] as const))))(
  "convert of a %s to %s keeps what the format holds, and says what it does not",
  async (format, target) => {
    const source = await sources[format]();
    const { result, outcome } = await run(source, {
      name: "convert",
      options: { target_format: target, metadata: "copyright", min_quality: 40, allow_resize: false },
    });
    expect(secretsIn(result)).toEqual([]);
    expect(
      (
        await sharp(result)
          .metadata()
          .catch(() => undefined)
      )?.width ?? 96,
    ).toBe(96);
    const isHolder = target !== "gif" && target !== "bmp" && target !== "ico";
    if (isHolder) {
      const { exif, xmp } = await sharp(result).metadata();
      expect(xmp?.toString()).toContain("Agency &amp; Sons");
      if (format !== "tiff" && target !== "tiff") expect(exif?.includes("Copyright Ada 2026")).toBe(true);
    }
    expect(result.includes("Ada Photographer")).toBe(isHolder);
    if (outcome.kind === "done")
      expect(outcome.notes.at(-1)).toMatchObject({
        [isHolder ? "kept" : "removed"]: expect.arrayContaining(["copyright", "creator"]),
      });
    else expect(result.length).toBeLessThanOrEqual(source.length);
  },
);

test("a HEIC's EXIF and XMP stay as far as they may", async () => {
  const { exif } = await sharp(await sources.jpeg()).metadata();
  const source = heicFile({ exif: exif?.subarray(6) ?? Buffer.alloc(0), xmp: xmpOfAgency });
  const { result } = await run(source, {
    name: "resize",
    options: { width: 16, method: "fit", metadata: "copyright" },
  });
  expect(secretsIn(result)).toEqual([]);
  expect(result.includes("Copyright Ada 2026")).toBe(true);
  expect(result.includes("Agency &amp; Sons")).toBe(true);
});

test("XMP of a HEIC's gain map is not taken for the picture's", async () => {
  const appleMap = { xmp: xmpOfApple("4") };
  const task = { name: "resize", options: { width: 16, method: "fit", metadata: "copyright" } } as const;
  const { result } = await run(heicFile({ appleMap, xmp: xmpOfAgency }), task);
  expect(result.includes("Agency &amp; Sons")).toBe(true);
  const secret = { xmp: `${xmpOfApple("4")}${xmpOfAgency}` };
  const { result: without } = await run(heicFile({ appleMap: secret }), task);
  expect(without.includes("Agency &amp; Sons")).toBe(false);
});

test("of several packets of XMP and an extended one what may stay stays, and what goes is named", async () => {
  const app1 = (...parts: (string | Uint8Array)[]) => {
    const data = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return Buffer.concat([Buffer.from([0xff, 0xe1, (data.length + 2) >> 8, (data.length + 2) & 255]), data]);
  };
  const packet = (attributes: string) =>
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ${attributes}/></rdf:RDF></x:xmpmeta>`;
  const mark = "http://ns.adobe.com/xap/1.0/\0";
  const extended = packet('photoshop:City="A-SECRET-CITY" xmpRights:WebStatement="https://example.org/licence"');
  const part = (from: number, to: number) => {
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(extended.length);
    numbers.writeUInt32BE(from, 4);
    return app1("http://ns.adobe.com/xmp/extension/\0", "0".repeat(32), numbers, extended.slice(from, to));
  };
  const jpeg = await noisePicture().jpeg({ quality: 95 }).toBuffer();
  const source = Buffer.concat([
    jpeg.subarray(0, 2),
    app1(mark, packet('photoshop:Credit="First Agency"')),
    // The parts of an extended packet may be in any order; here one property spans both.
    part(150, extended.length),
    part(0, 150),
    app1(mark, packet('photoshop:Credit="Second Agency" photoshop:DateCreated="2026-05-01"')),
    jpeg.subarray(2),
  ]);
  for (const name of ["compress", "upload"] as const) {
    const { result, outcome } = await run(source, {
      name,
      options: name === "upload" ? {} : { ...options.compress, metadata: "copyright" },
    });
    expect(secretsIn(result)).toEqual([]);
    expect(result.includes("Second Agency")).toBe(false);
    if (name === "upload") continue;
    expect(outcome.notes).toContainEqual({
      code: "metadata",
      kept: ["licence", "credit-line", "date"],
      removed: ["location"],
    });
    const { xmp } = await sharp(result).metadata();
    expect(xmp?.toString()).toContain('photoshop:Credit="First Agency"');
    expect(xmp?.toString()).toContain('photoshop:DateCreated="2026-05-01"');
    expect(xmp?.toString()).toContain('xmpRights:WebStatement="https://example.org/licence"');
  }
});

test("IPTC of a JPEG stays as XMP", async () => {
  const iptc = Buffer.concat([iptcDataset(80, "Ada Photographer"), iptcDataset(90, "A-SECRET-CITY")]);
  const source = withIptc(await noisePicture().jpeg({ quality: 95 }).toBuffer(), iptc);
  const { result, outcome } = await run(source, {
    name: "convert",
    options: { target_format: "webp", metadata: "copyright" },
  });
  expect((await sharp(result).metadata()).xmp?.toString()).toContain("<rdf:li>Ada Photographer</rdf:li>");
  expect(outcome.notes).toContainEqual({ code: "metadata", kept: ["creator"], removed: ["location"] });
  expect(secretsIn(result)).toEqual([]);
});

test.each(["jpeg", "png"] as const)("a %s that is to be turned comes upright, and does not say so", async (format) => {
  const source = await withCamera(smooth())
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Artist: "Ada", Orientation: "6" } })
    .toFormat(format)
    .toBuffer();
  expect((await sharp(source).metadata()).orientation).toBe(6);
  const { result } = await run(source, {
    name: "resize",
    options: { width: 32, method: "fit", metadata: "all-but-place" },
  });
  const { width, height, orientation } = await sharp(result).metadata();
  expect(width).toBeLessThan(height ?? 0);
  expect([1, undefined]).toContain(orientation);
  expect(result.includes("Ada")).toBe(true);
});

test.each(["jpeg", "png"] as const)(
  "a %s that comes back as it was keeps its orientation beside the metadata, once",
  async (format) => {
    const source = await smooth()
      .withExif({ IFD0: { Artist: "Ada", Orientation: "6" } })
      .withMetadata({ orientation: 6 })
      .toFormat(format)
      .toBuffer();
    const { result, outcome } = await run(source, {
      name: "convert",
      options: { target_format: format, metadata: "copyright", min_quality: 40, allow_resize: false },
    });
    expect(outcome.kind).toBe("unchanged");
    expect((await sharp(result).metadata()).orientation).toBe(6);
    expect(result.length).toBeLessThanOrEqual(source.length);
    expect(await sharp(result).raw().toBuffer()).toEqual(await sharp(source).raw().toBuffer());
  },
);

test.each(sourceFormats)(
  "a %s that compress cannot beat comes back no larger, its metadata filtered, and stays so",
  async (format) => {
    const source = await sources[format]();
    const once = await run(source, { name: "compress", options: { quality: 100, metadata: "copyright" } });
    const twice = await run(once.result, { name: "compress", options: { quality: 100, metadata: "copyright" } });
    expect(once.result.length).toBeLessThanOrEqual(source.length);
    expect(twice.result.length).toBeLessThanOrEqual(once.result.length);
    expect(secretsIn(once.result)).toEqual([]);
    expect(once.result.includes("Ada Photographer")).toBe(true);
    expect(twice.result.includes("Ada Photographer")).toBe(true);
    expect(await sharp(twice.result).raw().toBuffer()).toEqual(await sharp(once.result).raw().toBuffer());
  },
);

test.each(["jpeg", "webp", "avif", "png"] as const)(
  "a limit of bytes holds with the metadata in a %s",
  async (target) => {
    const source = await withCamera(noisePicture().resize(300, 200)).png().toBuffer();
    const limit = 14_000;
    const asked = { target_format: target, max_bytes: limit, min_quality: 1, allow_resize: true };
    const { result } = await run(source, { name: "convert", options: { ...asked, metadata: "copyright" } });
    expect(result.length).toBeLessThanOrEqual(limit);
    expect(result.includes("Ada Photographer")).toBe(true);
  },
);

test("where a limit leaves no room, the metadata go and the picture does not", async () => {
  const source = await withCamera(smooth()).jpeg({ quality: 95 }).toBuffer();
  const least = await run(source, {
    name: "convert",
    options: { target_format: "webp", max_bytes: 400, min_quality: 1, allow_resize: false, metadata: "copyright" },
  });
  expect(least.result.length).toBeLessThanOrEqual(400);
  expect(least.outcome.notes.at(-1)).toMatchObject({ code: "metadata", removed: expect.arrayContaining(["location"]) });
});

test("a moving WebP keeps moving, and keeps its copyright", async () => {
  const frames = await Promise.all([noisePicture(), noisePicture().negate()].map((image) => image.png().toBuffer()));
  const source = await withCamera(sharp(frames, { join: { animated: true } }))
    .webp({ loop: 3, delay: [70, 90] })
    .toBuffer();
  const { result } = await run(source, {
    name: "resize",
    options: { width: 48, method: "fit", metadata: "copyright" },
  });
  const facts = await sharp(result).metadata();
  expect(facts).toMatchObject({ pages: 2, loop: 3, delay: [70, 90] });
  expect(facts.xmp?.toString()).toContain("Ada Photographer");
});

test("a step hands on what the steps together keep", async () => {
  const steps = [{ options: { metadata: "copyright" } }, { options: { metadata: "all-but-place" } }];
  expect(metadataOf(steps)).toBe("all-but-place");
  expect(metadataOf([{ options: { metadata: "none" } }, ...steps])).toBe("none");
  expect(metadataOf([{ options: {} }])).toBeUndefined();
  const standIn = await run(await sources.jpeg(), {
    name: "resize",
    options: { width: 48, method: "fit", metadata: "copyright" },
    metadata: "all-but-place",
    isIntermediate: true,
  });
  const { result } = await run(standIn.result, {
    name: "compress",
    options: { quality: 60, min_quality: 40, allow_resize: false, metadata: "all-but-place" },
    metadata: "all-but-place",
    standsFor: "jpeg",
  });
  expect(result.includes("A-CAMERA-MODEL")).toBe(true);
  expect(secretsIn(result)).toEqual([]);
});

test("an upload keeps nothing", async () => {
  const { result } = await run(await sources.jpeg(), { name: "upload" });
  expect(result.includes("Ada Photographer")).toBe(false);
});

test("a picture whose metadata are damaged is worked on all the same", async () => {
  const source = await sources.jpeg();
  const at = source.indexOf("Exif\0\0") + 6;
  for (let i = 0; i < 40; i++) {
    const damaged = Buffer.from(source);
    for (let k = 0; k < 6; k++) damaged[at + ((i * 37 + k * 101) % 400)] = (i * 71 + k * 13) & 255;
    const { result } = await run(damaged, { name: "turn", options: { degrees: 90, metadata: "all-but-place" } });
    expect(secretsIn(result).filter((word) => word === "the latitude")).toEqual([]);
  }
});

test("a png whose copyright stays is not compressed a second time either", async () => {
  const source = await sources.png();
  const task = { name: "compress", options: { quality: 85, metadata: "copyright" } } as const;
  const { result: once } = await run(source, task);
  expect(once.length).toBeLessThan(source.length);
  expect((await sharp(once).metadata()).exif).toBeDefined();
  const { result: twice, outcome } = await run(once, task);
  expect(twice.equals(once)).toBe(true);
  expect(outcome.nothingSaved).toBe(true);
});
