import { crc32, inflateSync } from "node:zlib";
import type { Raster } from "@tintype/codecs/raster";
import { rowsOf } from "@tintype/codecs/raster";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { type PackOptions, packRows } from "./pack-rows.ts";

type Pixels = Raster & { depth: 8 | 16 };

async function pack(picture: Pixels, { signal, isUrgent = false }: PackOptions = {}): Promise<Buffer> {
  const { profile } = picture;
  const pieces: Uint8Array[] = [];
  for await (const piece of packRows({ ...rowsOf(picture), profile }, { signal, isUrgent })) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** An independent PNG reader: checks the CRC of each chunk and decodes the pixels. */
function readPng(bytes: Buffer) {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)));
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  // zlib checks Adler-32.
  const filtered = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  return { types: chunks.map(({ type }) => type), chunks, filtered };
}

function unfilter(filtered: Uint8Array, { width, height, channels, depth }: Pixels): Uint8Array {
  const back = (channels * depth) / 8;
  const length = width * back;
  const rows = new Uint8Array(length * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < length; x++) {
      const at = y * length + x;
      const left = x >= back ? (rows[at - back] ?? 0) : 0;
      const above = y > 0 ? (rows[at - length] ?? 0) : 0;
      const corner = x >= back && y > 0 ? (rows[at - length - back] ?? 0) : 0;
      const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
      const toCorner = Math.abs(left + above - 2 * corner);
      const paeth = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
      const predicted = [0, left, above, (left + above) >> 1, paeth][filtered[y * (length + 1)] ?? 9];
      rows[at] = (filtered[y * (length + 1) + 1 + x] ?? 0) + (predicted ?? Number.NaN);
    }
  return rows;
}

const bigEndian = ({ data, depth }: Pixels): Uint8Array => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return Uint8Array.from(depth === 16 ? Buffer.from(bytes).swap16() : bytes);
};

/** Noise of `levels` values, runs and repeated pieces: every case of the packer occurs. */
function noise({ seed, levels, ...picture }: Omit<Pixels, "data"> & { seed: number; levels: number }): Pixels {
  let state = (Math.abs(seed) % 2147483646) + 1;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return state;
  };
  const data = new (picture.depth === 16 ? Uint16Array : Uint8Array)(picture.width * picture.height * picture.channels);
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + 1 + (next() % 600));
    const kind = next() % 3;
    const from = next() % (at + 1);
    for (const start = at; at < end; at++)
      data[at] = kind === 0 ? (data[from + at - start] ?? 0) : kind === 1 ? seed : (next() >> 4) % levels;
  }
  return { ...picture, data };
}

const shapes = fc.record({
  width: fc.integer({ min: 1, max: 130 }),
  height: fc.integer({ min: 1, max: 90 }),
  channels: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const),
  depth: fc.constantFrom(8 as const, 16 as const),
  seed: fc.integer(),
  levels: fc.constantFrom(2, 9, 256, 65_536),
  isUrgent: fc.boolean(),
});

test("every size, number of channels and depth comes back exactly, and all checksums hold", async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async ({ isUrgent, ...shape }) => {
      const picture = noise(shape);
      const { types, filtered } = readPng(await pack(picture, { isUrgent }));
      expect([types[0], types.at(-1)]).toEqual(["IHDR", "IEND"]);
      expect(unfilter(filtered, picture)).toEqual(bigEndian(picture));
    }),
    { numRuns: 200 },
  );
});

test.each([
  { width: 1500, height: 900, channels: 4, depth: 8 },
  { width: 70_001, height: 3, channels: 3, depth: 16 },
  { width: 3, height: 70_001, channels: 1, depth: 8 },
  { width: 800, height: 700, channels: 2, depth: 16 },
] as const)(
  "a picture of many strips comes back exactly: $width x $height, $channels of $depth bits",
  async (shape) => {
    for (const [levels, isUrgent] of [
      [3, false],
      [256, false],
      [9, true],
    ] as const) {
      const picture = noise({ ...shape, seed: 7, levels });
      const bytes = await pack(picture, { isUrgent });
      const { filtered } = readPng(bytes);
      expect(Buffer.compare(unfilter(filtered, picture), bigEndian(picture))).toBe(0);
      // And libpng agrees.
      const { width, height, channels } = await sharp(bytes, { limitInputPixels: false }).metadata();
      expect({ width, height, channels }).toEqual({
        width: shape.width,
        height: shape.height,
        channels: shape.channels,
      });
    }
  },
);

test("nothing at all takes next to nothing", async () => {
  const picture = { width: 4000, height: 1000, channels: 4, depth: 8, data: new Uint8Array(16e6) } as const;
  const bytes = await pack(picture);
  expect(readPng(bytes).filtered.every((byte) => byte === 0)).toBe(true);
  expect(bytes.length).toBeLessThan(25_000);
});

test("the profile goes along", async () => {
  const { icc = new Uint8Array() } = await sharp({
    create: { width: 2, height: 2, channels: 3, background: "red" },
  })
    .withIccProfile("p3")
    .png()
    .toBuffer()
    .then((png) => sharp(png).metadata());
  const picture = noise({ width: 40, height: 30, channels: 3, depth: 8, seed: 1, levels: 256 });
  const facts = await sharp(await pack({ ...picture, profile: icc })).metadata();
  expect(facts.icc).toEqual(icc);
});

test("a smooth picture with a little noise takes fewer bytes than by sharp", async () => {
  const [width, height] = [900, 600];
  const grain = noise({ width, height, channels: 3, depth: 8, seed: 3, levels: 5 });
  const data = Uint8Array.from(grain.data, (value, i) => ((i / 2700) * 0.3 + (i % 2700) * 0.02 + (value % 5)) & 255);
  const bytes = await pack({ width, height, channels: 3, depth: 8, data });
  const others = await sharp(data, { raw: { width, height, channels: 3 } })
    .png({ adaptiveFiltering: true, compressionLevel: 3 })
    .toBuffer();
  expect(bytes.length).toBeLessThan(others.length);
});

test("it stops between strips when told to", async () => {
  const abort = new AbortController();
  const picture = noise({ width: 2000, height: 1000, channels: 3, depth: 8, seed: 1, levels: 9 });
  const reading = pack(picture, { signal: abort.signal });
  abort.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
});
