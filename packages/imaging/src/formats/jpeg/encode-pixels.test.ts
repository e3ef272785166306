import { encodePixels, quantizerFor } from "@tintype/codecs/jpeg/encode";
import type { Raster } from "@tintype/codecs/raster";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { quantizePicture } from "../../../../codecs/src/jpeg/encode/quantize-picture.ts";
import { zigzag } from "../../../../codecs/src/jpeg/encode/zigzag.ts";
import { checkJpegScans } from "./count-scans.ts";
import { readJpegFacts } from "./facts.ts";

type Picture = Raster<Uint8Array> & { channels: 1 | 3 };

const shapes = fc.record({
  width: fc.integer({ min: 1, max: 33 }),
  height: fc.integer({ min: 1, max: 33 }),
  channels: fc.constantFrom(1 as const, 3 as const),
  isHalved: fc.boolean(),
  setting: fc.integer({ min: 1, max: 100 }),
});

/** Flat areas, full-range noise, and extreme values only: the inputs that encoders get wrong. */
function pixels({ width, height, channels }: Omit<Picture, "data">, kind: "even" | "noise" | "extreme", seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  const even = next();
  return Uint8Array.from({ length: width * height * channels }, () =>
    kind === "even" ? even : kind === "noise" ? next() : next() < 128 ? 0 : 255,
  );
}

const kinds = fc.constantFrom("even" as const, "noise" as const, "extreme" as const);

/** A reference decoder: the samples computed directly from the coefficients (ITU-T T.81, A.3.3, and T.871). */
async function reconstruct(picture: Picture, wanted: Parameters<typeof quantizePicture>[1]): Promise<number[]> {
  const { width, height } = picture;
  const { components } = await quantizePicture(picture, wanted);
  const planes = components.map(({ pieces, steps }, i) => {
    const scale = i > 0 && wanted.isHalved ? 2 : 1;
    const across = Math.ceil(Math.ceil(width / scale) / 8);
    const samples = new Map<number, number>();
    pieces.forEach((piece, row) => {
      for (let at = 0, block = 0; at < piece.length; block++) {
        const head = piece[at++] as number;
        const values = new Map([[0, ((head << 16) >> 16) * (steps[0] as number)]]);
        for (let left = head >>> 16; left > 0; left--) {
          const word = piece[at++] as number;
          const place = zigzag[word >>> 16] as number;
          values.set(place, ((word << 16) >> 16) * (steps[place] as number));
        }
        for (let y = 0; y < 8; y++)
          for (let x = 0; x < 8; x++)
            samples.set((row * 8 + y) * across * 8 + block * 8 + x, inverseTransform(values, x, y));
      }
    });
    return (x: number, y: number) => samples.get(y * across * 8 + x) as number;
  });
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => {
      // Decoders clamp each plane before colour conversion.
      const [luma = 0, blue = 0, red = 0] = planes.map((at) => Math.max(-128, Math.min(127, at(x, y))));
      const colours = [luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue];
      return (picture.channels === 1 ? [luma] : colours).map((value) => Math.max(0, Math.min(255, value + 128)));
    }),
  ).flat(2);
}

function inverseTransform(values: Map<number, number>, x: number, y: number): number {
  let sum = 0;
  for (const [place, value] of values) {
    const [u, v] = [place % 8, place >> 3];
    const scale = (u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1);
    sum +=
      (scale * value * Math.cos(((2 * x + 1) * u * Math.PI) / 16) * Math.cos(((2 * y + 1) * v * Math.PI) / 16)) / 4;
  }
  return sum;
}

async function decode(bytes: Uint8Array, channels: number) {
  const image = sharp(bytes, { failOn: "warning" });
  const { data, info } = await (channels === 1 ? image.extractChannel(0) : image)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (value, i) => Math.abs(value - (b[i] as number))));

test("a decoder shows what the coefficients say, in every size", async () => {
  await fc.assert(
    fc.asyncProperty(shapes, kinds, fc.nat(), async ({ isHalved: _, setting, ...shape }, kind, seed) => {
      const picture: Picture = { ...shape, data: pixels(shape, kind, seed) };
      const wanted = { quantizer: quantizerFor({ setting, isHalved: false }), isHalved: false };
      const shown = await decode(await encodePixels(picture, wanted), shape.channels);
      expect(shown).toMatchObject({ width: shape.width, height: shape.height });
      // Decoders round after the IDCT and after colour conversion.
      expect(largestDifference(shown.data, await reconstruct(picture, wanted))).toBeLessThan(3.5);
    }),
    { numRuns: 60 },
  );
});

test("colour at half size is read without a warning, and keeps the picture's means, in every size", async () => {
  await fc.assert(
    fc.asyncProperty(shapes, kinds, fc.nat(), async ({ setting, ...shape }, kind, seed) => {
      const picture: Picture = { ...shape, channels: 3, data: pixels({ ...shape, channels: 3 }, kind, seed) };
      const bytes = await encodePixels(picture, {
        quantizer: quantizerFor({ setting, isHalved: true }),
        isHalved: true,
      });
      const shown = await decode(bytes, 3);
      expect(shown).toMatchObject({ width: shape.width, height: shape.height });
      expect(readJpegFacts(bytes)?.isSubsampled).toBe(true);
      if (kind === "even") expect(largestDifference(shown.data, picture.data)).toBeLessThan(3 + 60 * 0.95 ** setting);
    }),
    { numRuns: 60 },
  );
});

test("at the finest setting nothing but rounding is lost, of the hardest picture", async () => {
  const shape = { width: 64, height: 48, channels: 3 as const };
  const picture = { ...shape, data: pixels(shape, "extreme", 7) };
  const quantizer = quantizerFor({ setting: 100, isHalved: false });
  const shown = await decode(await encodePixels(picture, { quantizer, isHalved: false }), 3);
  const squares = shown.data.reduce((sum, value, i) => sum + (value - (picture.data[i] as number)) ** 2, 0);
  expect(Math.sqrt(squares / shown.data.length)).toBeLessThan(4);
});

test("a finer setting takes more bytes and loses less", async () => {
  const shape = { width: 96, height: 96, channels: 3 as const };
  const data = Uint8Array.from({ length: 96 * 96 * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % 96, Math.floor(i / 288)];
    return 128 + 90 * Math.sin((x * (i % 3 === 0 ? 1 : 2) + y * y * 0.05) / 9);
  });
  const results = await Promise.all(
    [10, 30, 50, 70, 90].map(async (setting) => {
      const bytes = await encodePixels(
        { ...shape, data },
        { quantizer: quantizerFor({ setting, isHalved: true }), isHalved: true },
      );
      const shown = await decode(bytes, 3);
      return {
        bytes: bytes.length,
        error: shown.data.reduce((sum, value, i) => sum + Math.abs(value - (data[i] as number)), 0),
      };
    }),
  );
  results.slice(1).forEach(({ bytes, error }, i) => {
    expect(bytes).toBeGreaterThan(results[i]?.bytes ?? 0);
    expect(error).toBeLessThan(results[i]?.error ?? 0);
  });
});

test("a profile of more bytes than a segment holds comes back whole", async () => {
  const profile = new Uint8Array(
    await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
      .withIccProfile("p3")
      .jpeg()
      .toBuffer()
      .then((bytes) => sharp(bytes).metadata())
      .then(({ icc }) => icc as Buffer),
  );
  const long = new Uint8Array(70_000);
  long.set(profile);
  new DataView(long.buffer).setUint32(0, long.length); // an ICC profile begins with its size
  const picture = { width: 8, height: 8, channels: 3 as const, data: new Uint8Array(192), profile: long };
  const bytes = await encodePixels(picture, {
    quantizer: quantizerFor({ setting: 60, isHalved: true }),
    isHalved: true,
  });
  const { icc } = await sharp(bytes).metadata();
  expect(icc && Buffer.compare(icc, Buffer.from(long))).toBe(0);
});

test("it ends when it is cancelled, and writes no more scans than we read", async () => {
  const shape = { width: 33, height: 400, channels: 3 as const };
  const picture = { ...shape, data: pixels(shape, "noise", 3) };
  const wanted = { quantizer: quantizerFor({ setting: 60, isHalved: true }), isHalved: true };
  const bytes = await encodePixels(picture, wanted);
  await checkJpegScans(async (at, length) => Buffer.from(bytes.subarray(at, at + length)));
  await expect(encodePixels(picture, { ...wanted, signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
    "enough",
  );
});
