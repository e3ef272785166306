import { type Channels, hasAlpha, type Raster, resized, rowsOf, type Samples, writeInto } from "@tintype/codecs/raster";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { lanczosSteps, resampleLanczos } from "./lanczos.ts";
import { finishInSteps } from "./steps.ts";
import type { ResampleTarget } from "./window.ts";

const side = fc.integer({ min: 1, max: 24 });

/** A picture computed by a formula of u and v, 0..1 across and down. */
function draw(
  { width, height, channels = 1 }: { width: number; height: number; channels?: Channels },
  formula: (u: number, v: number, channel: number) => number,
): Raster<Float32Array> {
  const data = new Float32Array(width * height * channels);
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / channels);
    data[i] = formula(((pixel % width) + 0.5) / width, (Math.floor(pixel / width) + 0.5) / height, i % channels);
  }
  return { data, width, height, channels };
}
const bytes = ({ data, ...rest }: Raster<Float32Array>): Raster<Uint8Array> => ({
  ...rest,
  data: Uint8Array.from(data, (value) => Math.max(0, Math.min(255, Math.round(value * 255)))),
});
const noise = (seed: number) => (u: number, v: number, c: number) => {
  const hash = Math.sin(u * 127.1 + v * 311.7 + c * 74.7 + seed) * 43758.5453;
  return hash - Math.floor(hash);
};
const differences = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a, (value, i) => Math.abs(value - (b[i] ?? Number.NaN)));
const psnr = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  10 * Math.log10(1 / (differences(a, b).reduce((sum, d) => sum + d * d, 0) / a.length));

/** The definition, computed directly: a weighted mean over the whole support of the widened kernel, on both axes at once. */
function byDefinition({ data, width, height, channels }: Raster<Samples>, target: ResampleTarget): Float32Array {
  const window = target.window ?? { left: 0, top: 0, width, height };
  const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
  const kernel = (x: number) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0);
  const reach = (centre: number, ratio: number) => {
    const wide = Math.max(1, ratio);
    const from = Math.floor(centre - 3 * wide);
    return Array.from({ length: Math.ceil(6 * wide) + 2 }, (_, k) => ({
      at: from + k,
      weight: kernel((from + k - centre) / wide),
    }));
  };
  const [ratioX, ratioY] = [window.width / target.width, window.height / target.height];
  return Float32Array.from({ length: target.width * target.height * channels }, (_, i) => {
    const pixel = Math.floor(i / channels);
    const xs = reach(window.left + ((pixel % target.width) + 0.5) * ratioX - 0.5, ratioX);
    const ys = reach(window.top + (Math.floor(pixel / target.width) + 0.5) * ratioY - 0.5, ratioY);
    let sum = 0;
    let total = 0;
    for (const y of ys)
      for (const x of xs) {
        const row = Math.min(Math.max(y.at, 0), height - 1);
        const column = Math.min(Math.max(x.at, 0), width - 1);
        sum += (data[(row * width + column) * channels + (i % channels)] ?? 0) * x.weight * y.weight;
        total += x.weight * y.weight;
      }
    return sum / total;
  });
}

test("it is Lanczos-3 by its definition, at any ratio up to 16, window and number of channels", () => {
  fc.assert(
    fc.property(
      side,
      side,
      side,
      side,
      fc.constantFrom(1, 2, 3, 4),
      fc.integer(),
      (width, height, w, h, channels, seed) => {
        fc.pre(width / w <= 16 && height / h <= 16);
        const formula = noise(seed);
        const isAlpha = (channel: number) => hasAlpha(channels) && channel === channels - 1; // opaque alpha: equal weights
        const picture = draw({ width, height, channels }, (u, v, c) => (isAlpha(c) ? 1 : formula(u, v, c)));
        const window = { left: width * 0.13, top: height * 0.21, width: width * 0.6, height: height * 0.7 };
        for (const target of [
          { width: w, height: h },
          { width: w, height: h, window },
        ])
          expect(
            Math.max(...differences(resampleLanczos(picture, target).data, byDefinition(picture, target))),
          ).toBeLessThan(1e-4);
      },
    ),
    { numRuns: 60 },
  );
});

test("a flat picture stays exactly as it is, at any size and in every kind of sample", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), side, side, side, (width, height, w, h) => {
      const target = { width: w, height: h };
      const eight = resampleLanczos(
        { data: new Uint8Array(width * height * 3).fill(77), width, height, channels: 3 },
        target,
      );
      expect([...new Set(eight.data)]).toEqual([77]);
      const sixteen = resampleLanczos(
        { data: new Uint16Array(width * height).fill(54_321), width, height, channels: 1 },
        target,
      );
      expect([...new Set(sixteen.data)]).toEqual([54_321]);
      expect([sixteen.width, sixteen.height, sixteen.data.length]).toEqual([w, h, w * h]);
    }),
  );
});

test("the same size is the same picture, to the bit", () => {
  const picture = bytes(draw({ width: 31, height: 17, channels: 3 }, noise(1)));
  expect(resampleLanczos(picture, { width: 31, height: 17 }).data).toEqual(picture.data);
});

test("a mirrored picture gives the mirrored result", () => {
  const mirrored = (formula: ReturnType<typeof noise>) => (u: number, v: number, c: number) => formula(1 - u, v, c);
  const field = (u: number, v: number) => 0.5 + 0.5 * Math.sin(20 * u * u + 9 * v);
  for (const width of [5, 13, 40, 97]) {
    const target = { width, height: 7 };
    const { data } = resampleLanczos(draw({ width: 30, height: 7 }, field), target);
    const other = resampleLanczos(draw({ width: 30, height: 7 }, mirrored(field)), target).data;
    const back = Array.from(other, (_, i) => other[Math.floor(i / width) * width + width - 1 - (i % width)] ?? 0);
    expect(Math.max(...differences(data, back))).toBeLessThan(1e-4);
  }
});

test("nothing moves: the centre of a soft spot stays within 0.02 target pixels, up, down and mixed", () => {
  const spot = (u: number, v: number) => Math.exp(-((u - 0.41) ** 2 + (v - 0.57) ** 2) / 0.02);
  const picture = draw({ width: 120, height: 90 }, spot);
  for (const [width, height] of [
    [240, 180],
    [480, 360],
    [173, 301],
    [61, 47],
    [300, 31],
    [40, 350],
    [9, 9],
  ] as const) {
    const { data } = resampleLanczos(picture, { width, height });
    let [sum, x, y] = [0, 0, 0];
    data.forEach((value, i) => {
      sum += value;
      x += value * ((i % width) + 0.5);
      y += value * (Math.floor(i / width) + 0.5);
    });
    expect(Math.abs(x / sum - 0.41 * width)).toBeLessThan(0.02);
    expect(Math.abs(y / sum - 0.57 * height)).toBeLessThan(0.02);
  }
});

test("an enlargement is nearer to the truth than libvips' by more than 3 dB", async () => {
  const field = (u: number, v: number) => 0.5 + 0.25 * Math.sin(160 * u * u) + 0.2 * Math.cos(70 * v * (1 + u));
  const small = bytes(draw({ width: 128, height: 96 }, field));
  for (const factor of [2, 4, 1.7]) {
    const [width, height] = [Math.round(128 * factor), Math.round(96 * factor)];
    const truth = draw({ width, height }, field).data;
    const ours = resampleLanczos(small, { width, height }).data;
    const theirs = await sharp(small.data, { raw: { width: 128, height: 96, channels: 1 } })
      .resize(width, height, { fit: "fill", kernel: "lanczos3" })
      .toColourspace("b-w")
      .raw()
      .toBuffer();
    const score = (data: Uint8Array) =>
      psnr(
        truth,
        Float32Array.from(data, (value) => value / 255),
      );
    expect(score(ours)).toBeGreaterThan(score(theirs) + 3);
  }
});

test("the colour of what cannot be seen leaves no fringe", () => {
  const red = new Uint8Array(40 * 40 * 4);
  for (let i = 0; i < 40 * 40; i++) red.set(i % 40 < 20 && i < 1000 ? [200, 30, 40, 255] : [0, 255, 0, 0], i * 4);
  for (const [width, height] of [
    [17, 13],
    [91, 77],
    [80, 11],
  ] as const) {
    const { data } = resampleLanczos({ data: red, width: 40, height: 40, channels: 4 }, { width, height });
    for (let i = 0; i < data.length; i += 4) {
      const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(i, i + 4);
      // At an alpha of 4 of 255 or less, the rounding of the sum shows in the quotient; it is invisible.
      if (alpha > 4)
        expect([Math.abs(r - 200), Math.abs(g - 30), Math.abs(b - 40)].every((gap) => gap <= 1)).toBe(true);
      if (alpha === 0) expect([r, g, b]).toEqual([0, 0, 0]);
    }
  }
});

test("above a ratio of 16 the result stays within one level of the definition", () => {
  const picture = draw({ width: 801, height: 643 }, (u, v) => 0.5 + 0.3 * Math.sin(14 * u) * Math.cos(9 * v));
  const target = { width: 33, height: 50 };
  const gaps = differences(resampleLanczos(picture, target).data, byDefinition(picture, target));
  expect(Math.max(...gaps)).toBeLessThan(1 / 255);
});

test("overshoot is cut off in whole numbers and kept in Float32", () => {
  const edge = draw({ width: 20, height: 1 }, (u) => Number(u > 0.5));
  expect(Math.max(...resampleLanczos(edge, { width: 50, height: 1 }).data)).toBeGreaterThan(1.05);
  const cut = resampleLanczos(bytes(edge), { width: 50, height: 1 }).data;
  expect([Math.min(...cut), Math.max(...cut)]).toEqual([0, 255]);
  expect(cut.subarray(0, 20).every((value) => value < 30)).toBe(true);
});

test("in steps it gives the same, reports its progress, and ends when it is cancelled", async () => {
  const picture = bytes(draw({ width: 400, height: 300, channels: 3 }, noise(5)));
  const target = { width: 700, height: 500 };
  const reports: number[] = [];
  const stepped = resized(picture, target);
  const steps = () => lanczosSteps(rowsOf(picture), target, writeInto(stepped));
  await finishInSteps(steps(), { progress: (fraction) => reports.push(fraction) });
  expect(stepped.data).toEqual(resampleLanczos(picture, target).data);
  expect(reports.length).toBeGreaterThan(1);
  expect(reports).toEqual(reports.toSorted((a, b) => a - b));
  const abort = new AbortController();
  const cancelled = finishInSteps(steps(), { signal: abort.signal, progress: () => abort.abort() });
  await expect(cancelled).rejects.toThrow("aborted");
});
