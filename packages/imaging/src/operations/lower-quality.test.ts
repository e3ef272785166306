import type { Raster, Size } from "@tintype/codecs/raster";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { draw, drawPhoto, drawScreen, randomNumbers } from "../../../codecs/src/testing/drawn-pictures.ts";
import { isSmallPicture, qualityStep } from "../formats/ordered-encoder.ts";
import { casesOfRun, isDeep } from "../testing/deep.ts";
import { runOperation } from "../testing/run-operation.ts";
import { compress } from "./compress.ts";
import { convert } from "./convert.ts";

const palette = [[0, 0, 0, 0], ...[0x000000, 0xffffff, 0xdc1e3c, 0x1e78dc, 0xfac828].map(rgba)];
function rgba(colour: number): number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255, 255];
}

/** What lossy encoders are good and bad at. */
const kinds = {
  ramp: (size: Size) => draw(size, 1, (x) => [(255 * x) / size.width]),
  gradient: (size: Size) => draw(size, 3, (x, y) => [(255 * x) / size.width, (255 * y) / size.height, 128]),
  art(size: Size, seed: number) {
    const random = randomNumbers(seed);
    const cells = Array.from({ length: 1024 }, () => palette[Math.floor(random() * palette.length)] ?? []);
    const side = 1 + (seed % 4);
    return draw(size, 4, (x, y) => cells[(Math.floor(x / side) % 32) + 32 * (Math.floor(y / side) % 32)] ?? []);
  },
  grey: (size: Size) => channelsOf(drawPhoto(size), 1, (red) => [red]),
  photo: (size: Size) => drawPhoto(size),
  noise(size: Size, seed: number) {
    const random = randomNumbers(seed);
    return draw(size, 3, (x, y) => [x, y, 90].map((value) => value + 30 * random()));
  },
  alpha: (size: Size) =>
    channelsOf(drawPhoto(size), 4, (...sample) => [...sample.slice(0, 3), (255 * (sample[3] ?? 0)) / size.width]),
} as const satisfies Record<string, (size: Size, seed: number) => Raster<Uint8Array>>;
type Kind = keyof typeof kinds;

/** `recolour` takes red, green, blue and x. */
function channelsOf({ data, ...size }: Raster<Uint8Array>, channels: 1 | 4, recolour: (...from: number[]) => number[]) {
  return draw(size, channels, (x, y) => {
    const at = (y * size.width + x) * 3;
    return recolour(...data.subarray(at, at + 3), x);
  });
}

function open({ data, width, height, channels }: Raster<Uint8Array>): Sharp {
  const image = sharp(data, { raw: { width, height, channels } });
  return channels === 1 ? image.toColourspace("b-w") : image;
}

/** Of high quality, so that compress has something to lose. */
const sources = {
  jpeg: (image: Sharp) => image.flatten().jpeg({ quality: 100, chromaSubsampling: "4:4:4" }),
  png: (image: Sharp) => image.png({ compressionLevel: 0 }),
  webp: (image: Sharp) => image.webp({ lossless: true, exact: true, effort: 0 }),
  avif: (image: Sharp) => image.avif({ lossless: true, effort: 0 }),
  tiff: (image: Sharp) => image.tiff({ compression: "none" }),
  gif: (image: Sharp) => image.gif({ effort: 1 }),
} as const;
type Format = keyof typeof sources;
const formats = Object.keys(sources) as Format[];

type Drawn = { kind: Kind; size: Size; seed: number; frames: number };

/** Each frame shows the picture moved by two pixels. */
async function fileOf({ kind, size, seed, frames }: Drawn, format: Format): Promise<Buffer> {
  const picture = kinds[kind](size, seed);
  if (frames === 1) return sources[format](open(picture)).toBuffer();
  const { width, height, channels, data } = picture;
  const moved = Array.from({ length: frames }, (_, frame) =>
    draw(size, channels, (x, y) => {
      const at = (y * width + ((x + 2 * frame) % width)) * channels;
      return [...data.subarray(at, at + channels)];
    }),
  );
  const raw = { width, height: height * frames, pageHeight: height, channels };
  const strip = sharp(Buffer.concat(moved.map(({ data }) => data)), { raw }).toColourspace("srgb");
  return sources[format](strip).toBuffer();
}

const tasks = {
  compress: async (drawn: Drawn, format: Format) => {
    const bytes = await fileOf(drawn, format);
    return (quality: number) => runOperation(compress, { bytes, options: { quality } });
  },
  convert: async (drawn: Drawn, target_format: Format) => {
    const bytes = await fileOf(drawn, drawn.frames > 1 ? (target_format === "gif" ? "webp" : "gif") : "tiff");
    const png = target_format === "tiff" ? await sharp(bytes).png().toBuffer() : bytes;
    return (quality: number) => runOperation(convert, { bytes: png, options: { target_format, quality } });
  },
} as const;
type Task = keyof typeof tasks;

/** What the encoders' own ups and downs may cost: see `orderedEncoder`. */
const slack = { share: 0.02, bytes: 16 };

async function checkOrder(task: Task, format: Format, drawn: Drawn, qualities: readonly number[]): Promise<void> {
  const run = await tasks[task](drawn, format);
  let finer = { quality: 100, bytes: Number.POSITIVE_INFINITY };
  for (const quality of qualities.toSorted((a, b) => b - a)) {
    const bytes = (await run(quality)).result.length;
    const most = Math.max(finer.bytes * (1 + slack.share), finer.bytes + slack.bytes);
    expect(bytes, `${task} ${format} ${JSON.stringify(drawn)} at ${quality}, ${finer.quality}`).toBeLessThanOrEqual(
      most,
    );
    if (bytes < finer.bytes) finer = { quality, bytes };
  }
}

const small = { width: 40, height: 32 };
const still = (kind: Kind, size: Size = small): Drawn => ({ kind, size, seed: 12, frames: 1 });

// product: lower-quality-fewer-bytes
test.each([
  // Smaller without loss than with it.
  ["convert", "webp", still("ramp"), [60, 98, 99, 100]],
  ["convert", "avif", still("gradient", { width: 120, height: 90 }), [90, 99, 100]],
  ["convert", "png", still("alpha", { width: 9, height: 7 }), [1, 75, 99, 100]],
  // Above the limit of small pictures.
  ["convert", "webp", still("gradient", { width: 320, height: 240 }), [60, 98, 100]],
  ["convert", "avif", still("gradient", { width: 320, height: 240 }), [90, 100]],
  // Smaller near-losslessly.
  ["convert", "webp", still("grey"), [90, 95, 98, 99]],
  // A palette of one colour too many.
  ["convert", "gif", still("gradient"), [50, 57, 59, 70]],
  ["compress", "gif", still("noise"), [1, 5, 10, 21, 23]],
] as const)("%s: as %s a lower quality takes no more bytes, %j", (task, format, drawn, qualities) =>
  checkOrder(task, format, drawn, qualities),
);

const drawnPictures = (format: Format) =>
  fc.record({
    kind: fc.constantFrom(...(Object.keys(kinds) as Kind[])),
    size: fc.record({
      width: fc.integer({ min: 1, max: isDeep ? 160 : 48 }),
      height: fc.integer({ min: 1, max: isDeep ? 120 : 36 }),
    }),
    seed: fc.integer({ min: 1, max: 1000 }),
    frames: fc.constantFrom(1, ...(format === "gif" || format === "webp" ? [3] : [])),
  });
const somethingToChoose = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 3, maxLength: 3 });

test.each(
  casesOfRun(formats.flatMap((format) => (["compress", "convert"] as const).map((task) => [task, format] as const))),
)("%s: as %s no small picture takes more bytes at a lower quality", (task, format) =>
  fc.assert(
    fc.asyncProperty(drawnPictures(format), somethingToChoose, (drawn, qualities) =>
      checkOrder(task, format, drawn, qualities),
    ),
    { seed: 7, numRuns: isDeep ? 40 : 4 },
  ),
);

test("a coarse JPEG that does not save enough gives way to a finer one that does", async () => {
  const bytes = await open(drawScreen({ width: 320, height: 240 }))
    .jpeg({ quality: 36 })
    .toBuffer();
  const at = async (quality: number, file: Uint8Array = bytes) =>
    (await runOperation(compress, { bytes: file, options: { quality } })).result;
  const finer = await at(40);
  expect(finer.length).toBeLessThan(bytes.length * 0.85);
  expect((await at(39)).equals(finer)).toBe(true);
  expect((await at(39, finer)).equals(finer)).toBe(true);
});

test("a byte limit that a quality keeps is not refused for that quality", async () => {
  const bytes = await fileOf(still("gradient", { width: 32, height: 24 }), "png");
  const gif = { target_format: "gif", allow_resize: false };
  const { result } = await runOperation(convert, { bytes, options: { ...gif, quality: 1 } });
  const options = { ...gif, max_bytes: result.length, min_quality: 1 };
  expect((await runOperation(convert, { bytes, options })).result.length).toBeLessThanOrEqual(result.length);
});

test("the quality of a small picture is rounded up to a step, never down", () => {
  const all = Array.from({ length: 100 }, (_, i) => i + 1);
  for (const quality of all) expect(qualityStep(quality)).toBeGreaterThanOrEqual(quality);
  expect([1, 40, 41, 76, 99, 100].map(qualityStep)).toEqual([10, 40, 50, 80, 99, 100]);
  expect([256, 257].map((height) => isSmallPicture({ width: 256, height }))).toEqual([true, false]);
});
