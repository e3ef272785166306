import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, zstdCompressSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDirectory, tiffLayout } from "../../raster/tiff-directory.ts";
import { type TiffTag, tiffFile } from "../../testing/tiff-file.ts";
import { openSource } from "../open-source.ts";
import { unpackSegment } from "./unpack.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiff-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(bytes: Uint8Array) {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  return openSource(path, { megapixelsIn: 25, megapixelsOut: 25 });
}
type Opened = Awaited<ReturnType<typeof open>>;

/** The samples, scaled to 0..1, in the picture's own channels. */
async function samplesOf(source: Opened): Promise<number[]> {
  const space = source.isGrey ? "grey16" : "rgb16";
  const raw = await source.read().toColourspace(space).raw({ depth: "ushort" }).toBuffer();
  return [...new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2)].map((value) => value / 65_535);
}
const gap = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length ? Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? Number.NaN)))) : Number.NaN;

/** A picture of smooth gradients, interleaved, samples 0..1. */
const [width, height] = [21, 18];
const sampleAt = (x: number, y: number, channel: number) => {
  if (channel === 0) return (x + 1) / (width + 1);
  if (channel === 1) return (y + 1) / (height + 1);
  return channel === 2 ? (x + y + 2) / (width + height + 2) : 0.25 + x / 2 / width;
};
const picture = (channels: number) =>
  Array.from({ length: width * height * channels }, (_, i) => {
    const pixel = Math.floor(i / channels);
    return sampleAt(pixel % width, Math.floor(pixel / width), i % channels);
  });

type Kind = { bits: number; format: "unsigned" | "signed" | "float"; isLittle?: boolean };

/** Encodes one row of samples, 0..1, in the sample format of `kind`. */
function packRow(samples: readonly number[], { bits, format, isLittle = true }: Kind): Buffer {
  const bytes = Buffer.alloc(Math.ceil((samples.length * bits) / 8));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [i, sample] of samples.entries()) {
    const at = (i * bits) / 8;
    if (format === "float") {
      if (bits === 64) view.setFloat64(at, sample, isLittle);
      else if (bits === 32) view.setFloat32(at, sample, isLittle);
      else
        writeWord(view, { at, bits, isLittle, value: floatBits(sample, bits === 16 ? 5 : 7, bits === 16 ? 10 : 16) });
      continue;
    }
    const value = Math.round(sample * (2 ** bits - 1)) - (format === "signed" ? 2 ** (bits - 1) : 0);
    if (bits % 8 === 0) writeWord(view, { at, bits, isLittle, value: value < 0 ? value + 2 ** bits : value });
    else
      for (let bit = 0; bit < bits; bit++) {
        const to = i * bits + bit;
        if ((value >> (bits - 1 - bit)) & 1) bytes[to >> 3] = (bytes[to >> 3] ?? 0) | (0x80 >> (to & 7));
      }
  }
  return bytes;
}

type Word = { at: number; bits: number; isLittle: boolean; value: number };
function writeWord(view: DataView, { at, bits, isLittle, value }: Word): void {
  for (let byte = 0; byte < bits / 8; byte++)
    view.setUint8(at + (isLittle ? byte : bits / 8 - 1 - byte), Math.floor(value / 256 ** byte) % 256);
}

function floatBits(value: number, exponentBits: number, fractionBits: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(value));
  const fraction = Math.round((value / 2 ** exponent - 1) * 2 ** fractionBits);
  return ((exponent + 2 ** (exponentBits - 1) - 1) << fractionBits) + fraction;
}

type Layout = {
  channels: number;
  tile?: [number, number];
  rowsPerStrip?: number;
  isPlanar?: boolean;
  compression?: number;
  predictor?: number;
  photometric?: number;
  extra?: TiffTag[];
};

const compress: Record<number, (bytes: Uint8Array) => Uint8Array> = {
  1: (bytes) => bytes,
  8: (bytes) => deflateSync(bytes),
  50000: (bytes) => zstdCompressSync(bytes),
  // PackBits: replicate runs and literal runs.
  32773: (bytes) =>
    Buffer.concat(
      Array.from({ length: Math.ceil(bytes.length / 128) }, (_, i) => {
        const part = bytes.subarray(i * 128, i * 128 + 128);
        return part.length > 1 && part.every((byte) => byte === part[0])
          ? Buffer.from([257 - part.length, part[0] ?? 0])
          : Buffer.concat([Buffer.from([part.length - 1]), part]);
      }),
    ),
};

function encodeTiff(samples: readonly number[], kind: Kind, layout: Layout): Buffer {
  const { channels, tile, rowsPerStrip = 7, isPlanar = false, compression = 1, predictor = 1 } = layout;
  const { isLittle = true, bits, format } = kind;
  const [segmentWidth, segmentHeight] = tile ?? [width, rowsPerStrip];
  const segments: Uint8Array[] = [];
  for (const plane of isPlanar ? Array.from({ length: channels }, (_, i) => i) : [undefined])
    for (let top = 0; top < height; top += segmentHeight)
      for (let left = 0; left < width; left += segmentWidth) {
        const rows = Array.from({ length: tile ? segmentHeight : Math.min(segmentHeight, height - top) }, (_, y) => {
          const row = Array.from({ length: segmentWidth }, (_, x) => {
            const at = (Math.min(top + y, height - 1) * width + Math.min(left + x, width - 1)) * channels;
            return plane === undefined ? samples.slice(at, at + channels) : [samples[at + plane] ?? 0];
          }).flat();
          return predict(packRow(row, kind), { predictor, bits, isLittle, channels: isPlanar ? 1 : channels });
        });
        segments.push(compress[compression]?.(Buffer.concat(rows)) ?? Buffer.of());
      }
  const short = (tag: number, ...values: number[]): TiffTag => ({ tag, type: "short", values });
  return tiffFile({
    isLittle,
    isTiled: tile !== undefined,
    segments,
    tags: [
      short(256, width),
      short(257, height),
      short(258, ...Array<number>(channels).fill(bits)),
      short(259, compression),
      short(262, layout.photometric ?? (channels < 3 ? 1 : 2)),
      short(277, channels),
      short(284, isPlanar ? 2 : 1),
      short(317, predictor),
      short(339, ...Array<number>(channels).fill({ unsigned: 1, signed: 2, float: 3 }[format])),
      ...(tile ? [short(322, tile[0]), short(323, tile[1])] : [short(278, rowsPerStrip)]),
      ...(channels === 2 || channels === 4 ? [short(338, 2)] : []),
      ...(layout.extra ?? []),
    ],
  });
}

type Predicting = { predictor: number; bits: number; isLittle: boolean; channels: number };
function predict(row: Buffer, { predictor, bits, isLittle, channels }: Predicting): Buffer {
  const size = bits / 8;
  const samples = row.length / size;
  if (predictor === 2)
    for (let i = samples - 1; i >= channels; i--) {
      const read = (index: number) =>
        isLittle ? row.readUIntLE(index * size, size) : row.readUIntBE(index * size, size);
      const value = (read(i) - read(i - channels) + 2 ** bits) % 2 ** bits;
      if (isLittle) row.writeUIntLE(value, i * size, size);
      else row.writeUIntBE(value, i * size, size);
    }
  if (predictor !== 3) return row;
  const planes = Buffer.alloc(row.length);
  for (let i = 0; i < samples; i++)
    for (let byte = 0; byte < size; byte++)
      planes[byte * samples + i] = row[i * size + (isLittle ? size - 1 - byte : byte)] ?? 0;
  return Buffer.from(planes.map((byte, i) => (i < channels ? byte : byte - (planes[i - channels] ?? 0))));
}

const half = { bits: 16, format: "float" } as const;
const float = { bits: 32, format: "float" } as const;
const tile: [number, number] = [16, 16];

test.each<[string, Kind, Layout]>([
  ["float, RGB in strips", float, { channels: 3 }],
  ["float, the high byte first", { ...float, isLittle: false }, { channels: 3, compression: 8 }],
  ["float, grey", float, { channels: 1 }],
  ["float, grey with alpha", float, { channels: 2 }],
  ["float, RGBA by tiles", float, { channels: 4, tile }],
  ["float, separate planes", float, { channels: 3, isPlanar: true }],
  [
    "float, tiles of separate planes, predictor 3",
    float,
    { channels: 3, isPlanar: true, tile, compression: 8, predictor: 3 },
  ],
  ["float, predictor 3", float, { channels: 4, compression: 8, predictor: 3 }],
  [
    "float, predictor 3, the high byte first",
    { ...float, isLittle: false },
    { channels: 3, compression: 8, predictor: 3 },
  ],
  ["float, predictor 2", float, { channels: 3, compression: 8, predictor: 2 }],
  ["half float", half, { channels: 3 }],
  ["half float, predictor 3, tiles", half, { channels: 3, tile, compression: 8, predictor: 3 }],
  ["24-bit float", { bits: 24, format: "float" }, { channels: 3 }],
  ["double", { bits: 64, format: "float" }, { channels: 3, compression: 8, predictor: 3 }],
  ["32-bit integers", { bits: 32, format: "unsigned" }, { channels: 3 }],
  [
    "32-bit integers, grey, predictor 2",
    { bits: 32, format: "unsigned" },
    { channels: 1, compression: 8, predictor: 2 },
  ],
  ["32-bit integers, the high byte first", { bits: 32, format: "unsigned", isLittle: false }, { channels: 3 }],
  ["24-bit integers", { bits: 24, format: "unsigned" }, { channels: 3 }],
  ["signed bytes", { bits: 8, format: "signed" }, { channels: 3 }],
  ["signed bytes, grey", { bits: 8, format: "signed" }, { channels: 1 }],
  ["signed 16-bit", { bits: 16, format: "signed" }, { channels: 3, compression: 8, predictor: 2 }],
  ["signed 32-bit", { bits: 32, format: "signed" }, { channels: 3 }],
  ["10-bit", { bits: 10, format: "unsigned" }, { channels: 3 }],
  ["12-bit, grey", { bits: 12, format: "unsigned" }, { channels: 1 }],
  ["14-bit, tiles of separate planes", { bits: 14, format: "unsigned" }, { channels: 3, isPlanar: true, tile }],
  ["6-bit", { bits: 6, format: "unsigned" }, { channels: 3 }],
  ["tiles of separate planes", { bits: 8, format: "unsigned" }, { channels: 3, isPlanar: true, tile }],
  [
    "tiles of separate planes, 16 bits, PackBits",
    { bits: 16, format: "unsigned" },
    { channels: 4, isPlanar: true, tile, compression: 32773 },
  ],
  ["Zstandard", { bits: 8, format: "unsigned" }, { channels: 3, compression: 50000 }],
])("%s is read at its brightness", async (_, kind, layout) => {
  const samples = picture(layout.channels);
  const source = await open(encodeTiff(samples, kind, layout));
  expect(source).toMatchObject({ format: "tiff", width, height, pages: 1 });
  // sharp widens 8 bits by a shift, so white of 8 bits is 65,280.
  const precision = kind.bits === 16 ? 11 : Math.min(kind.bits, 12); // a half float has 11 bits
  const tolerance = 0.6 / (2 ** precision - 1) + (kind.bits <= 8 ? 1 / 255 : 0);
  expect(gap(await samplesOf(source), samples)).toBeLessThan(tolerance);
});

test("1-bit RGB has its eight colours", async () => {
  const samples = picture(3).map((sample) => (sample > 0.5 ? 1 : 0));
  const source = await open(encodeTiff(samples, { bits: 1, format: "unsigned" }, { channels: 3 }));
  expect(gap(await samplesOf(source), samples)).toBe(0);
});

test("white is zero where the TIFF says so, in floating point too", async () => {
  const samples = picture(1);
  const source = await open(encodeTiff(samples, float, { channels: 1, photometric: 0 }));
  expect(
    gap(
      await samplesOf(source),
      samples.map((sample) => 1 - sample),
    ),
  ).toBeLessThan(1e-4);
});

const minAndMax = (min: number, max: number): TiffTag[] => [
  { tag: 340, type: "double", values: [min, min, min] },
  { tag: 341, type: "double", values: [max, max, max] },
];

test("SMinSampleValue and SMaxSampleValue name black and white", async () => {
  const samples = picture(3);
  const inUnits = samples.map((sample) => 40 + 60 * sample);
  const source = await open(encodeTiff(inUnits, float, { channels: 3, extra: minAndMax(40, 100) }));
  expect(gap(await samplesOf(source), samples)).toBeLessThan(1e-4);
  const small = samples.map((sample) => sample * 2 ** -16);
  const integers = await open(
    encodeTiff(small, { bits: 32, format: "unsigned" }, { channels: 3, extra: minAndMax(0, 65_535) }),
  );
  expect(gap(await samplesOf(integers), samples)).toBeLessThan(1e-3);
});

test("light above white is cut off, and it is said; other units are scaled", async () => {
  const samples = picture(3);
  const bright = samples.map((sample) => sample * 1.5);
  const source = await open(encodeTiff(bright, float, { channels: 3 }));
  expect(source.notes).toContainEqual({ code: "bright-values-clipped" });
  const clipped = bright.map((sample) => Math.min(1, sample));
  expect(gap(await samplesOf(source), clipped)).toBeLessThan(1e-4);
  const bytes = await open(
    encodeTiff(
      samples.map((sample) => sample * 255),
      float,
      { channels: 3 },
    ),
  );
  expect(gap(await samplesOf(bytes), samples)).toBeLessThan(1e-4);
});

test("numbers that are none, and infinite ones, are black and white", async () => {
  const samples = picture(1);
  const broken = samples.map((sample, i) => (i === 3 ? Number.NaN : i === 5 ? Number.POSITIVE_INFINITY : sample));
  const read = await samplesOf(await open(encodeTiff(broken, float, { channels: 1 })));
  expect([read[3], read[5]]).toEqual([0, 1]);
});

test("32-bit integers that hold 8 or 16 bits are not black", async () => {
  const samples = picture(1);
  for (const most of [255, 65_535]) {
    const small = samples.map((sample) => (sample * most) / (2 ** 32 - 1));
    const source = await open(encodeTiff(small, { bits: 32, format: "unsigned" }, { channels: 1 }));
    expect(gap(await samplesOf(source), samples)).toBeLessThan(0.003);
  }
});

test("the colour profile and the orientation of a floating-point TIFF count", async () => {
  const p3 = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const profile = (await sharp(p3).metadata()).icc ?? Buffer.of();
  const extra: TiffTag[] = [
    { tag: 34675, type: "undefined", values: profile },
    { tag: 274, type: "short", values: [6] },
  ];
  const source = await open(encodeTiff(picture(3), float, { channels: 3, extra }));
  expect(source).toMatchObject({ hasProfile: true, width: height, height: width });
});

/** ExtraSamples: 1 is associated (premultiplied) alpha, 2 is unassociated alpha. */
test("colours that are multiplied by alpha come out as they were", async () => {
  const samples = picture(4);
  const multiplied = samples.map((sample, i) => (i % 4 === 3 ? sample : sample * (samples[i - (i % 4) + 3] ?? 0)));
  const file = encodeTiff(multiplied, float, { channels: 4 });
  const { entries } = readDirectory(tiffLayout(file), tiffLayout(file).first);
  file.writeUInt16LE(1, entries.find(({ tag }) => tag === 338)?.values.start ?? 0);
  expect(gap(await samplesOf(await open(file)), samples)).toBeLessThan(1e-3);
});

test.each([
  ["CIELab of 8 bits", 8, 8, (axis: number) => (axis + 256) % 256],
  ["ICCLab of 8 bits", 8, 9, (axis: number) => axis + 128],
  ["ICCLab of 16 bits", 16, 9, (axis: number) => (axis + 128) * 256],
] as const)("%s is read, with alpha too", async (_, bits, photometric, axis) => {
  // Lab (D50) of grey 119 and of the red, green and blue of sRGB.
  const colours = [
    { lab: [50, 0, 0], rgb: [119, 119, 119] },
    { lab: [54.29, 80.8, 69.89], rgb: [255, 0, 0] },
    { lab: [87.82, -79.27, 80.99], rgb: [0, 255, 0] },
    { lab: [29.57, 68.3, -112.03], rgb: [0, 0, 255] },
  ];
  const white = bits === 8 ? 255 : 65_280;
  for (const channels of [3, 4]) {
    const values = colours.flatMap(({ lab: [l = 0, a = 0, b = 0] }) =>
      [(l * white) / 100, axis(Math.round(a)), axis(Math.round(b)), 2 ** bits - 1].slice(0, channels),
    );
    const file = tiffFile({
      segments: [
        packRow(
          values.map((value) => value / (2 ** bits - 1)),
          { bits, format: "unsigned" },
        ),
      ],
      tags: [
        ...[256, 257, 259, 277].map(
          (tag, i): TiffTag => ({ tag, type: "short", values: [[4, 1, 1, channels][i] ?? 0] }),
        ),
        { tag: 258, type: "short", values: Array<number>(channels).fill(bits) },
        { tag: 262, type: "short", values: [photometric] },
        ...(channels === 4 ? [{ tag: 338, type: "short", values: [2] } satisfies TiffTag] : []),
      ],
    });
    const read = await samplesOf(await open(file));
    const expected = colours.flatMap(({ rgb }) => [...rgb, 255].slice(0, channels).map((value) => value / 255));
    expect(gap(read, expected)).toBeLessThan(0.045);
  }
});

/** Full-range YCbCr, as in JPEG (TIFF 6.0, section 21). */
const yCbCr = ([r = 0, g = 0, b = 0]: readonly number[]) => {
  const y = 0.299 * r + 0.587 * g + 0.114 * b;
  return [y, (b - y) / 1.772 + 128, (r - y) / 1.402 + 128];
};

test.each([
  [1, 1, false],
  [2, 1, false],
  [2, 2, false],
  [4, 2, false],
  [2, 2, true],
])("YCbCr without JPEG whose chroma stands for %i x %i pixels is read", async (across, down, isPlanar) => {
  const [wide, tall] = [22, 18];
  // Chroma is constant within a data unit.
  const pixel = (x: number, y: number) =>
    yCbCr([60 + 100 * Math.floor(x / 8), 200, 90 + 30 * Math.floor(y / 4)].map((v) => Math.min(v, 255)));
  const units: number[] = [];
  const planes: [number[], number[], number[]] = [[], [], []];
  for (let y = 0; y < tall; y++) for (let x = 0; x < wide; x++) planes[0].push(pixel(x, y)[0] ?? 0);
  for (let y = 0; y < tall; y += down)
    for (let x = 0; x < wide; x += across) {
      for (let v = 0; v < down; v++) for (let h = 0; h < across; h++) units.push(pixel(x + h, y + v)[0] ?? 0);
      const [, cb = 0, cr = 0] = pixel(x, y);
      units.push(cb, cr);
      planes[1].push(cb);
      planes[2].push(cr);
    }
  const pack = (values: number[]) => Buffer.from(values.map(Math.round));
  const short = (tag: number, ...values: number[]): TiffTag => ({ tag, type: "short", values });
  const file = tiffFile({
    segments: isPlanar ? planes.map(pack) : [pack(units)],
    tags: [
      ...[short(256, wide), short(257, tall), short(258, 8, 8, 8), short(259, 1), short(262, 6), short(277, 3)],
      ...[short(278, tall), short(284, isPlanar ? 2 : 1), short(530, across, down)],
    ],
  });
  const source = await open(file);
  const read = await samplesOf(source);
  const expected = Array.from({ length: wide * tall }, (_, i) => [
    Math.min(255, 60 + 100 * Math.floor((i % wide) / 8)),
    200,
    90 + 30 * Math.floor(Math.floor(i / wide) / 4),
  ]).flat();
  expect(
    gap(
      read,
      expected.map((value) => value / 255),
    ),
  ).toBeLessThan(0.012);
});

test.each([
  ["1/0", [Infinity, Infinity, Infinity]],
  ["zeros", [0, 0, 0]],
  ["shares that make no whole", [0.9, 0.9, 0.9]],
  ["one alone", [0.3]],
])("YCbCr whose coefficients are %s is read as BT.601", async (_, coefficients) => {
  const colour = [200, 60, 90];
  const short = (tag: number, ...values: number[]): TiffTag => ({ tag, type: "short", values });
  const file = tiffFile({
    segments: [Buffer.from(Array.from({ length: 12 }, () => yCbCr(colour).map(Math.round)).flat())],
    tags: [
      ...[short(256, 4), short(257, 3), short(258, 8, 8, 8), short(259, 1), short(262, 6), short(277, 3)],
      ...[short(278, 3), { tag: 529, type: "rational", values: coefficients } satisfies TiffTag, short(530, 1, 1)],
    ],
  });
  const read = await samplesOf(await open(file));
  const expected = Array.from({ length: 12 }, () => colour.map((value) => value / 255)).flat();
  expect(gap(read, expected)).toBeLessThan(0.012);
});

/** The table segments of a baseline JPEG by marker, and its scan. */
async function jpegParts(image: Sharp) {
  const jpeg = await image.jpeg({ mozjpeg: false, quality: 95, chromaSubsampling: "4:2:0" }).toBuffer();
  const tables: { marker: number; data: Buffer }[] = [];
  for (let at = 2; ; ) {
    const marker = jpeg[at + 1] ?? 0;
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    tables.push({ marker, data: jpeg.subarray(at + 4, end) });
    at = end;
    if (marker === 0xda) return { jpeg, tables, scan: jpeg.subarray(at, -2) };
  }
}

test.each(["strips with tables", "tiles with tables", "a whole JPEG"])("old-style JPEG is read: %s", async (kind) => {
  const side = 32;
  const smooth = sharp(Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, i) => ((i / 3) % 64) * 2 + (i % 3) * 40)), {
    raw: { width: 64, height: 64, channels: 3 },
  });
  const raw = await smooth.clone().raw().toBuffer();
  const isWhole = kind === "a whole JPEG";
  const isTiled = kind === "tiles with tables";
  const places = isTiled
    ? [0, 1, 2, 3].map((i) => ({ left: (i % 2) * side, top: Math.floor(i / 2) * side, width: side, height: side }))
    : [0, 1].map((i) => ({ left: 0, top: i * side, width: 64, height: side }));
  const parts = await Promise.all(places.map((place) => jpegParts(smooth.clone().extract(place))));
  const [first] = parts;
  const whole = await jpegParts(smooth.clone());
  const dht = (kindOfTable: number) =>
    [0, 1, 1].map((id) => {
      const table = first?.tables.find(({ marker, data }) => marker === 0xc4 && data[0] === (kindOfTable << 4) + id);
      return Buffer.from(table?.data.subarray(1) ?? []);
    });
  const dqt = [0, 1, 1].map((id) => {
    const table = first?.tables.find(({ marker, data }) => marker === 0xdb && data[0] === id);
    return Buffer.from(table?.data.subarray(1) ?? []);
  });
  const short = (tag: number, ...values: number[]): TiffTag => ({ tag, type: "short", values });
  const file = tiffFile({
    isTiled,
    segments: isWhole ? [whole.scan] : parts.map(({ scan }) => scan),
    blocks: isWhole ? { 513: [whole.jpeg] } : { 519: dqt, 520: dht(0), 521: dht(1) },
    tags: [
      ...[short(256, 64), short(257, 64), short(258, 8, 8, 8), short(259, 6), short(262, 6), short(277, 3)],
      ...[short(284, 1), short(512, 1), short(530, 2, 2)],
      ...(isTiled ? [short(322, side), short(323, side)] : [short(278, isWhole ? 64 : side)]),
      ...(isWhole ? [{ tag: 514, type: "long", values: [whole.jpeg.length] } satisfies TiffTag] : []),
    ],
  });
  const read = await samplesOf(await open(file));
  expect(
    gap(
      read,
      [...raw].map((value) => value / 255),
    ),
  ).toBeLessThan(0.06);
});

test("tiles of separate planes that are JPEGs are read", async () => {
  const samples = picture(3);
  const planes: Buffer[] = [];
  for (const plane of [0, 1, 2])
    for (const [left, top] of [
      [0, 0],
      [16, 0],
      [0, 16],
      [16, 16],
    ] as const) {
      const data = Array.from(
        { length: 256 },
        (_, i) => 255 * sampleAt(left + (i % 16), top + Math.floor(i / 16), plane),
      );
      planes.push(
        await sharp(Buffer.from(data.map((value) => Math.min(255, Math.round(value)))), {
          raw: { width: 16, height: 16, channels: 1 },
        })
          .toColourspace("b-w")
          .jpeg({ quality: 100 })
          .toBuffer(),
      );
    }
  const file = encodeTiff(samples, { bits: 8, format: "unsigned" }, { channels: 3, isPlanar: true, tile });
  const { entries } = readDirectory(tiffLayout(file), tiffLayout(file).first);
  const tags = entries
    .filter(({ tag }) => tag !== 324 && tag !== 325)
    .map(({ tag, numbers }): TiffTag => ({ tag, type: "short", values: tag === 259 ? [7] : numbers() }));
  const read = await samplesOf(await open(tiffFile({ tags, segments: planes, isTiled: true })));
  expect(gap(read, samples)).toBeLessThan(0.03);
});

test("LZW is unpacked as libtiff packs it", async () => {
  const noise = Buffer.from(Array.from({ length: 200 * 150 * 3 }, (_, i) => (i * i) % 251));
  const file = await sharp(noise, { raw: { width: 200, height: 150, channels: 3 } })
    .tiff({ compression: "lzw", predictor: "none" })
    .toBuffer();
  const { entries } = readDirectory(tiffLayout(file), tiffLayout(file).first);
  const numbers = (wanted: number) => entries.find(({ tag }) => tag === wanted)?.numbers() ?? [];
  const rows = numbers(278)[0] ?? 0;
  const unpacked = numbers(273).map((start, i) =>
    unpackSegment(file.subarray(start, start + (numbers(279)[i] ?? 0)), {
      compression: 5,
      sizeBytes: Math.min(rows, 150 - i * rows) * 600,
    }),
  );
  expect(Buffer.concat(unpacked).equals(noise)).toBe(true);
});

test("a tag of an unknown type is skipped", async () => {
  const file = encodeTiff(
    picture(3),
    { bits: 8, format: "unsigned" },
    {
      channels: 3,
      extra: [{ tag: 65_000, type: "long", values: [12_345] }],
    },
  );
  const { entries } = readDirectory(tiffLayout(file), tiffLayout(file).first);
  file.writeUInt16LE(0, (entries.find(({ tag }) => tag === 65_000)?.start ?? 0) + 2);
  expect(gap(await samplesOf(await open(file)), picture(3))).toBeLessThan(0.006);
});

test("samples of complex numbers are refused with what to do", async () => {
  const file = encodeTiff(picture(1), float, { channels: 1 });
  const { entries } = readDirectory(tiffLayout(file), tiffLayout(file).first);
  file.writeUInt16LE(6, entries.find(({ tag }) => tag === 339)?.values.start ?? 0);
  await expect(open(file)).rejects.toMatchObject({
    code: "cannot-process",
    message: expect.stringContaining("Save it with 8 or 16 bits per channel"),
  });
});

test("samples without bits are damage, and bits that differ are refused", async () => {
  const withBits = (...bits: number[]) => {
    const file = encodeTiff(picture(3), { bits: 8, format: "unsigned" }, { channels: 3, compression: 8, predictor: 2 });
    const { entries } = readDirectory(tiffLayout(file), tiffLayout(file).first);
    const at = entries.find(({ tag }) => tag === 258)?.values.start ?? 0;
    for (const [i, value] of bits.entries()) file.writeUInt16LE(value, at + i * 2);
    return file;
  };
  await expect(open(withBits(0, 0, 0))).rejects.toMatchObject({ code: "broken-image" });
  await expect(open(withBits(5, 6, 5))).rejects.toMatchObject({ code: "cannot-process" });
});
