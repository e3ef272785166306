import { decodeBmp, encodeBmpSamples } from "@tintype/codecs/bmp";
import { sniffFormat } from "@tintype/codecs/headers";
import { type InputFormat, inputFormats, type OutputFormat, outputFormats } from "@tintype/contract";
import sharp from "sharp";
import { expect, test } from "vitest";
import { type GifFileFrame, gifFile } from "../../../codecs/src/testing/gif-file.ts";
import { rgbIcon } from "../../../codecs/src/testing/icon-file.ts";
import { heicColours, heicFile } from "../testing/heic-file.ts";
import { jp2File } from "../testing/jp2-file.ts";
import { jxlFile } from "../testing/jxl-file.ts";
import { pdfFile } from "../testing/pdf-file.ts";
import { psdFile } from "../testing/psd-file.ts";
import { runOperation } from "../testing/run-operation.ts";
import { convert } from "./convert.ts";
import { resize } from "./resize.ts";

const [width, height] = [64, 32];
/** Four quarters of one colour each, RGBA. */
const quarters = (colours: readonly (readonly number[])[]) =>
  Uint8Array.from(
    Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      const [red = 0, green = 0, blue = 0, alpha = 255] =
        colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? [];
      return [red, green, blue, alpha];
    }).flat(),
  );
const picture = (colours: readonly (readonly number[])[] = heicColours) =>
  sharp(quarters(colours), { raw: { width, height, channels: 4 } });
const opaque = () => picture().removeAlpha();
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${heicColours
  .map(
    (colour, i) =>
      `<rect x="${(i % 2) * 32}" y="${Math.floor(i / 2) * 16}" width="32" height="16" fill="rgb(${colour})"/>`,
  )
  .join("")}</svg>`;

/** In PDF points, two pixels each, from the lower left corner. */
const drawnOnPage = heicColours
  .map((colour, i) => `${colour.map((value) => value / 255).join(" ")} rg ${(i % 2) * 16} ${i < 2 ? 8 : 0} 16 8 re f`)
  .join("\n");

const inputs: Record<InputFormat, () => Promise<Uint8Array>> = {
  jpeg: () => opaque().jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer(),
  png: () => opaque().png().toBuffer(),
  webp: () => opaque().webp({ lossless: true }).toBuffer(),
  gif: () => opaque().gif({ dither: 0 }).toBuffer(),
  tiff: () => opaque().tiff({ compression: "lzw" }).toBuffer(),
  avif: () => opaque().avif({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer(),
  bmp: async () => encodeBmpSamples({ width, height, channels: 3, data: await opaque().raw().toBuffer() }),
  heic: async () => heicFile({ codes: [1, 13, 6] }),
  svg: async () => Buffer.from(svg),
  jxl: async () => jxlFile({ width, height, data: await opaque().ensureAlpha().raw().toBuffer() }),
  psd: async () => {
    const rgb = await opaque().raw().toBuffer();
    return psdFile({ width, height, mode: 3, planes: [0, 1, 2].map((c) => rgb.filter((_, i) => i % 3 === c)) });
  },
  jp2: async () => jp2File({ width, height, channels: 3, data: await opaque().raw().toBuffer() }),
  pdf: async () => pdfFile({ pages: [{ box: [0, 0, 32, 16], content: drawnOnPage }] }),
  ico: async () => rgbIcon({ width, height, data: await opaque().raw().toBuffer() }),
};

/** The first frame as 8-bit sRGB RGBA, for any format. */
async function pixels(bytes: Uint8Array) {
  if (sniffFormat(bytes) === "bmp") {
    const { data, channels, ...extent } = decodeBmp(bytes);
    const raw = await sharp(data, { raw: { ...extent, channels } })
      .toColourspace("srgb")
      .ensureAlpha()
      .raw()
      .toBuffer();
    return { data: raw, ...extent };
  }
  const { data, info } = await sharp(bytes)
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
async function centres(bytes: Uint8Array): Promise<number[][]> {
  const found = await pixels(bytes);
  expect([found.width, found.height]).toEqual([width, height]);
  return [
    [16, 8],
    [48, 8],
    [16, 24],
    [48, 24],
  ].map(([x = 0, y = 0]) => {
    const at = (y * width + x) * 4;
    return [...found.data.subarray(at, at + 4)];
  });
}
const gap = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]) =>
  Math.max(...b.flatMap((one, i) => one.map((value, c) => Math.abs(value - (a[i]?.[c] ?? Number.NaN)))));
const to = (target: OutputFormat, bytes: Uint8Array) =>
  runOperation(convert, { bytes, options: { target_format: target } });
const notesOf = async (target: OutputFormat, bytes: Uint8Array) => {
  const { outcome } = await to(target, bytes);
  return outcome.kind === "done" ? outcome.notes : ["unchanged"];
};

/** The tolerance, of 255, at the centre of a quarter: lossy coding errors of source and target together. */
const tolerance = (format: InputFormat) => (["jpeg", "webp", "avif", "heic"].includes(format) ? 6 : 1);

/** An icon is always square: ico/ico.test.ts tests it. */
const targets = outputFormats.filter((target) => target !== "ico");

test.each(inputFormats.flatMap((from) => targets.map((target) => [from, target] as const)))(
  "%s to %s",
  async (from, target) => {
    const bytes = await inputs[from]();
    const { outcome, result } = await to(target, bytes);
    if (from === target) {
      expect(outcome).toMatchObject({ kind: "unchanged", reason: { code: "same-format" } });
      expect(sniffFormat(result)).toBe(target);
      return;
    }
    expect(sniffFormat(result)).toBe(target);
    expect(outcome).toMatchObject({
      kind: "done",
      source: { format: from, width, height, sizeBytes: bytes.length },
      result: { format: target, width, height, sizeBytes: result.length },
    });
    expect(gap(await centres(result), heicColours)).toBeLessThanOrEqual(tolerance(from) + tolerance(target));
  },
);

const half = [
  [200, 0, 0, 0],
  [0, 0, 200, 128],
  [0, 200, 0, 255],
  [0, 0, 0, 255],
];

test.each(["png", "webp", "tiff", "avif"] as const)(
  "transparency of a %s lies on white in a JPEG, and stays where it can",
  async (from) => {
    const bytes = await picture(half)
      .toFormat(from, from === "tiff" ? { compression: "lzw" } : { lossless: true })
      .toBuffer();
    const jpeg = await to("jpeg", bytes);
    const expected = [
      [255, 255, 255],
      [127, 127, 227],
      [0, 200, 0],
      [0, 0, 0],
    ];
    expect(gap(await centres(jpeg.result), expected)).toBeLessThanOrEqual(8);
    expect(jpeg.outcome).toMatchObject({ notes: [{ code: "transparency-lost", format: "jpeg" }] });
    for (const target of ["png", "webp", "tiff", "bmp"] as const) {
      if (target === from) continue;
      const { result, outcome } = await to(target, bytes);
      expect(outcome).toMatchObject({ notes: [] });
      expect(
        gap(
          (await centres(result)).map(([, , , alpha = 0]) => [alpha]),
          [[0], [128], [255], [255]],
        ),
      ).toBeLessThanOrEqual(2);
    }
  },
);

test.each(["png", "tiff", "bmp"] as const)("a photograph loses nothing on its way into a %s", async (target) => {
  const noise = Uint8Array.from({ length: width * height * 3 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
  const jpeg = await sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
  expect((await pixels((await to(target, jpeg)).result)).data.equals((await pixels(jpeg)).data)).toBe(true);
});

test("grey stays grey where the format knows it", async () => {
  const grey = await opaque().toColourspace("b-w").png().toBuffer();
  for (const target of ["jpeg", "tiff"] as const)
    expect(await sharp((await to(target, grey)).result).metadata()).toMatchObject({ channels: 1, space: "b-w" });
});

// product: depth-kept
test("16 bits stay between PNG and TIFF, and elsewhere become 8 with a word", async () => {
  const data = Uint16Array.from({ length: width * height * 3 }, (_, i) => (i * 11) % 65_536);
  const raw = sharp(data, { raw: { width, height, channels: 3 } }).toColourspace("rgb16");
  const [png, tiff] = [await raw.clone().png().toBuffer(), await raw.clone().tiff({ compression: "lzw" }).toBuffer()];
  for (const [target, bytes] of [
    ["tiff", png],
    ["png", tiff],
  ] as const) {
    const { result, outcome } = await to(target, bytes);
    expect(outcome).toMatchObject({ notes: [] });
    const back = await sharp(result).toColourspace("rgb16").raw({ depth: "ushort" }).toBuffer();
    expect(new Uint16Array(back.buffer, back.byteOffset, data.length)).toEqual(data);
  }
  for (const target of ["jpeg", "webp", "gif", "avif", "bmp"] as const) {
    const [note, ...others] = await notesOf(target, png);
    expect(note).toEqual({ code: "depth-lost", format: target });
    expect(others).toEqual([]);
  }
});

test("a wide profile stays where the format holds one, and its colours become sRGB elsewhere", async () => {
  const srgb = await opaque().png().toBuffer();
  const wide = await sharp(srgb).withIccProfile("p3").png().toBuffer(); // the same colours, with Display P3 values
  for (const target of ["jpeg", "webp", "tiff", "avif"] as const) {
    const { result, outcome } = await to(target, wide);
    expect((await sharp(result).metadata()).hasProfile).toBe(true);
    expect(gap(await centres(result), heicColours)).toBeLessThanOrEqual(8); // converted through the profile
    expect(outcome).toMatchObject({ notes: [] });
  }
  for (const target of ["gif", "bmp"] as const) {
    const { result, outcome } = await to(target, wide);
    expect(gap(await centres(result), heicColours)).toBeLessThanOrEqual(3);
    expect(outcome).toMatchObject({
      notes: [{ code: "profile-lost", format: target }],
    });
  }
});

test("CMYK becomes sRGB, Adobe's inverted kind and TIFF's, with its profile and without", async () => {
  for (const cmyk of [
    await opaque().toColourspace("cmyk").withIccProfile("cmyk").jpeg({ quality: 95 }).toBuffer(),
    await opaque().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer(),
    await opaque().toColourspace("cmyk").tiff({ compression: "lzw" }).toBuffer(),
  ]) {
    expect((await sharp(cmyk).metadata()).space).toBe("cmyk");
    const { result, outcome } = await to("png", cmyk);
    expect(outcome).toMatchObject({ notes: [{ code: "cmyk-converted" }] });
    expect(await sharp(result).metadata()).toMatchObject({ space: "srgb", channels: 3, hasProfile: false });
    // The gamut of print is smaller than that of the screen: the hues must be recognizable, and white must be white.
    const [red = [], green = [], blue = [], white = []] = await centres(result);
    expect((red[0] ?? 0) - Math.max(red[1] ?? 0, red[2] ?? 0)).toBeGreaterThan(120);
    expect((green[1] ?? 0) - Math.max(green[0] ?? 0, green[2] ?? 0)).toBeGreaterThan(40);
    expect((blue[2] ?? 0) - Math.max(blue[0] ?? 0, blue[1] ?? 0)).toBeGreaterThan(40);
    expect(Math.min(...white)).toBeGreaterThan(225);
  }
});

const moving = async (format: "gif" | "webp") => {
  const frames = await Promise.all(
    [opaque(), opaque().negate(), opaque().flip()].map((frame) => frame.png().toBuffer()),
  );
  return sharp(frames, { join: { animated: true } })
    .toFormat(format, { loop: 3, delay: [70, 90, 110], ...(format === "webp" ? { lossless: true } : {}) })
    .toBuffer();
};

test.each([
  ["gif", "webp"],
  ["webp", "gif"],
] as const)("a moving %s moves as a %s, as long and as often", async (from, target) => {
  const { result, outcome } = await to(target, await moving(from));
  expect(await sharp(result).metadata()).toMatchObject({ pages: 3, delay: [70, 90, 110], loop: 3, height });
  expect(outcome).toMatchObject({ result: { width, height }, notes: [] });
  const second = await sharp(result, { page: 1 }).removeAlpha().raw().toBuffer();
  expect(gap([[...second.subarray(0, 3)]], [heicColours[0].map((value) => 255 - value)])).toBeLessThanOrEqual(8);
});

test.each(["jpeg", "tiff", "avif", "bmp"] as const)(
  "of a moving GIF a %s keeps the first frame, and says so",
  async (target) => {
    const { result, outcome } = await to(target, await moving("gif"));
    expect(gap(await centres(result), heicColours)).toBeLessThanOrEqual(8);
    expect(outcome.notes).toContainEqual({ code: "animation-lost", frames: 3, format: target });
  },
);

// product: convert-white
test("of a TIFF of several pages the first is kept, and it is said", async () => {
  const pages = await Promise.all([opaque(), opaque().negate()].map((page) => page.png().toBuffer()));
  const tiff = await sharp(pages, { join: { animated: true } })
    .tiff({ compression: "lzw" })
    .toBuffer();
  expect((await sharp(tiff).metadata()).pages).toBe(2);
  const { result, outcome } = await to("png", tiff);
  expect(gap(await centres(result), heicColours)).toBe(0);
  expect(outcome).toMatchObject({ notes: [{ code: "first-page-kept", pages: 2 }] });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])("orientation %i is applied, and gone", async (orientation) => {
  const upright = await opaque().jpeg({ quality: 95 }).toBuffer();
  const turned = await sharp(upright).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
  const { result, outcome } = await to("png", turned);
  const expected = await sharp(turned).autoOrient().toBuffer({ resolveWithObject: true });
  expect(outcome).toMatchObject({ source: { width: expected.info.width, height: expected.info.height } });
  const facts = await sharp(result).metadata();
  expect([facts.width, facts.height]).toEqual(orientation >= 5 ? [height, width] : [width, height]);
  expect([facts.orientation, facts.exif]).toEqual([undefined, undefined]);
});

test.each(["webp", "avif"] as const)("a side longer than a %s holds is refused in a sentence", async (target) => {
  const long = await sharp({ create: { width: 16_400, height: 1, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  await expect(to(target, long)).rejects.toMatchObject({
    code: "cannot-process",
    message: expect.stringContaining("16,38"),
  });
});

// product: metadata-removed
test("no metadata comes along", async () => {
  const bytes = await opaque()
    .withExif({ IFD0: { Copyright: "A-SECRET" } })
    .withXmp("<x>A-SECRET</x>")
    .jpeg()
    .toBuffer();
  for (const target of outputFormats.filter((format) => format !== "jpeg"))
    expect((await to(target, bytes)).result.includes("A-SECRET")).toBe(false);
});

test("a background takes the place of transparency, in any format and also in the picture's own", async () => {
  const clear = await sharp({ create: { width: 30, height: 20, channels: 4, background: "#00000000" } })
    .png()
    .toBuffer();
  for (const target_format of ["png", "webp", "jpeg"] as const) {
    const options = { target_format, background: "#ff0000", min_quality: 40, allow_resize: false };
    const { outcome, result } = await runOperation(convert, { bytes: clear, options });
    expect(outcome).toMatchObject({ kind: "done", notes: [] });
    const { data } = await pixels(result);
    const [red = 0, green = 255, , alpha] = data;
    expect([red > 245, green < 10, alpha]).toEqual([true, true, 255]);
  }
});

const softAlpha = { code: "partial-transparency-lost" };

test("soft transparency that becomes a GIF is named, and hard transparency is not", async () => {
  const red = (alphas: number[]) =>
    sharp(Buffer.from(alphas.flatMap((alpha) => [255, 0, 0, alpha])), { raw: { width: 2, height: 2, channels: 4 } });
  for (const from of ["png", "webp", "tiff"] as const) {
    const soft = await red([0, 128, 255, 255])
      .toFormat(from, from === "tiff" ? { compression: "lzw" } : { lossless: true })
      .toBuffer();
    expect((await to("gif", soft)).outcome).toMatchObject({ notes: [softAlpha] });
    const hard = await red([0, 255, 255, 0])
      .toFormat(from, from === "tiff" ? { compression: "lzw" } : { lossless: true })
      .toBuffer();
    expect((await to("gif", hard)).outcome).toMatchObject({ notes: [] });
  }
  const bytes = await red([0, 128, 255, 255]).png().toBuffer();
  const onBlue = await runOperation(convert, { bytes, options: { target_format: "gif", background: "#0000ff" } });
  expect(onBlue.outcome).toMatchObject({ notes: [] });
  const resized = await runOperation(resize, { bytes, options: { percent: 100, method: "fit", target_format: "gif" } });
  expect(resized.outcome).toMatchObject({ notes: [softAlpha] });
});

test("the note on transparency is about the frame that is kept", async () => {
  const frame = { left: 0, top: 0, width: 2, height: 2, transparentIndex: 1, disposal: 2 };
  const [opaque, clear] = [
    { ...frame, indices: [0, 0, 0, 0] },
    { ...frame, indices: [0, 0, 0, 1] },
  ];
  const gif = (...frames: GifFileFrame[]) =>
    gifFile({ width: 2, height: 2, globalColours: [0xff0000, 0x00ff00], frames });
  const kept = { code: "animation-lost", frames: 2, format: "jpeg" };
  expect((await to("jpeg", gif(opaque, clear))).outcome).toMatchObject({ notes: [kept] });
  expect((await to("jpeg", gif(clear, opaque))).outcome).toMatchObject({
    notes: [kept, { code: "transparency-lost", format: "jpeg" }],
  });
});

test("a picture with transparency whose data is damaged is refused as damaged", async () => {
  const noise = Buffer.from(Array.from({ length: 64 * 64 * 4 }, (_, i) => (i * 7919) % 251));
  const bytes = await sharp(noise, { raw: { width: 64, height: 64, channels: 4 } })
    .png()
    .toBuffer();
  const middle = bytes.length >> 1;
  bytes.fill(0xff, middle, middle + 20);
  await expect(to("gif", bytes)).rejects.toMatchObject({ code: "broken-image" });
});

test.each(["jpeg", "bmp"] as const)(
  "an opaque picture with an alpha channel has no areas that become white as %s",
  async (target) => {
    const rgba = await opaque().ensureAlpha().png().toBuffer();
    const { outcome } = await runOperation(convert, { bytes: rgba, options: { target_format: target } });
    expect(outcome.notes.filter(({ code }) => code === "transparency-lost")).toEqual([]);
  },
);
