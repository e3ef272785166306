import { fromLight, toLight } from "@tintype/codecs/colour";
import {
  type Channels,
  emptyRaster,
  hasAlpha,
  type Raster,
  type RowReader,
  type RowWriter,
  resized,
  rowsOf,
  type Samples,
  wholeOf,
  writeInto,
} from "@tintype/codecs/raster";
import { blendRows, resampleAcross } from "./passes.ts";
import { finish, partOf, type Steps } from "./steps.ts";
import { lanczosTaps, type Taps } from "./taps.ts";
import { halfwayTarget, type PixelWindow, type ResampleTarget } from "./window.ts";

export type LanczosTarget = ResampleTarget & {
  /**
   * "stored" (the default): on samples as stored, right for enlarging, and for masks, which are not light. "linear": in
   * linear light, by the sRGB curve, right for shrinking; it limits dark halos.
   */
  light?: "stored" | "linear";
};

/**
 * Resizes a picture by Lanczos-3.
 *
 * - Pixel centres are aligned: target x samples source (x + 0.5) * ratio - 0.5, so nothing shifts (libvips' enlargement
 *   is off by half a target pixel). Any ratio, also larger on one axis and smaller on the other; a reduction is
 *   low-pass filtered against moiré. Beyond the edges, edge pixels are replicated.
 * - With 2 and 4 channels colours are premultiplied for filtering; where the result is transparent its colour is 0.
 * - Uint8 and Uint16 are rounded and clamped; Float32 keeps its overshoot in light "stored".
 * - Above a ratio of 16 it takes two steps, with the intermediate result rounded like the final one.
 *
 * Needs, besides source and result, the kernel's rows: at most 96 of the result's width in Float32.
 *
 * @example
 * const twice = resampleLanczos({ data, width: 64, height: 48, channels: 3 }, { width: 128, height: 96 });
 */
export function resampleLanczos<T extends Samples>(raster: Raster<T>, target: LanczosTarget): Raster<T> {
  const result = resized(raster, target);
  finish(lanczosSteps(rowsOf(raster), target, writeInto(result)));
  return result;
}

/** As `resampleLanczos`, row by row, as a generator that the caller runs. */
export function* lanczosSteps(source: RowReader, target: LanczosTarget, sink: RowWriter): Steps<void> {
  const { window = wholeOf(source), light = "stored" } = target;
  const halfway = halfwayTarget({ ...target, window });
  if (!halfway) return yield* lanczosOnce(source, { ...target, window, light }, sink);
  const nearer = emptyRaster(source, halfway);
  yield* partOf(lanczosOnce(source, { ...halfway, light }, writeInto(nearer)), { from: 0, to: 0.9 });
  yield* partOf(lanczosSteps(rowsOf(nearer), { ...target, window: undefined }, sink), { from: 0.9, to: 1 });
}

/** Multiplications between two yields: about 5 ms. */
const workPerStep = 4e6;

type Once = Required<LanczosTarget> & { window: PixelWindow };

function* lanczosOnce(source: RowReader, { width, height, window, light }: Once, sink: RowWriter): Steps<void> {
  const { channels } = source;
  const across = lanczosTaps({ size: source.width, start: window.left, length: window.width, target: width });
  const down = lanczosTaps({ size: source.height, start: window.top, length: window.height, target: height });
  const rows = Array.from({ length: down.count }, () => new Float32Array(width * channels));
  const { load, unload } = rowConversion(source, light);
  const row = new Float32Array(width * channels);
  let next = 0;
  let work = 0;
  for (let y = 0; y < height; y++) {
    const first = down.first[y] as number;
    for (next = Math.max(next, first); next < first + down.count; next++) {
      const line = load(source.readRow(next));
      const slot = rows[next % rows.length] as Float32Array;
      resampleAcross(line, { taps: across, channels }, slot);
      if (light === "linear") raiseAcross(line, { taps: across, channels }, slot);
      work += row.length * across.count;
    }
    blendRows({ rows, first, weights: down.weights.subarray(y * down.count, (y + 1) * down.count) }, row);
    if (light === "linear") raiseRows(rows, row);
    unload(row);
    sink.writeRow(row, y);
    work += row.length * down.count;
    if (work < workPerStep) continue;
    work = 0;
    yield (y + 1) / height;
  }
}

/**
 * Converts rows to the values that are filtered (linear light, premultiplied) and back, in place. `load` reuses its
 * array.
 */
function rowConversion({ width, channels, full }: RowReader, light: "stored" | "linear") {
  const shape = { channels, full };
  const isTranslucent = hasAlpha(channels);
  const curve = light === "linear" ? rowLight(shape) : undefined;
  const line = new Float32Array(width * channels);
  return {
    load(row: Samples): Float32Array {
      line.set(row);
      curve?.toLight(line);
      if (isTranslucent) premultiply(line, shape);
      return line;
    },
    unload(row: Float32Array): void {
      if (isTranslucent) unpremultiply(row, shape);
      curve?.fromLight(row);
    },
  };
}

/** Premultiplies colours in place, so that invisible pixels do not contribute. */
function premultiply(row: Float32Array, { channels, full }: { channels: number; full: number }): void {
  for (let pixel = 0; pixel < row.length; pixel += channels) {
    const alpha = (row[pixel + channels - 1] as number) / full;
    for (let i = pixel; i < pixel + channels - 1; i++) row[i] = (row[i] as number) * alpha;
  }
}

/**
 * The inverse of `premultiply`. Alpha's overshoot is clamped only after the division: near an edge the colours
 * overshoot by the same factor, which the quotient cancels. The row writer clamps the overshoot of the colours.
 */
function unpremultiply(row: Float32Array, { channels, full }: { channels: number; full: number }): void {
  const seen = full === 1 ? 1e-5 : 0.5 / full;
  for (let pixel = 0; pixel < row.length; pixel += channels) {
    const alpha = (row[pixel + channels - 1] as number) / full;
    const share = alpha >= seen ? 1 / alpha : 0;
    for (let i = pixel; i < pixel + channels - 1; i++) row[i] = (row[i] as number) * share;
    row[pixel + channels - 1] = Math.min(Math.max(alpha, 0), 1) * full;
  }
}

/** Limits dark halos of `resampleAcross`: no value falls below half of the darkest under the kernel. */
function raiseAcross(
  from: Float32Array,
  { taps: { first, count }, channels }: { taps: Taps; channels: number },
  to: Float32Array,
): void {
  for (let out = 0; out < to.length; out++) {
    const channel = out % channels;
    const start = (first[(out - channel) / channels] as number) * channels + channel;
    let darkest = from[start] as number;
    for (let tap = 1; tap < count; tap++) darkest = Math.min(darkest, from[start + tap * channels] as number);
    to[out] = Math.max(to[out] as number, darkest / 2);
  }
}

/** Limits dark halos of `blendRows`: no value falls below half of the darkest in `rows`. */
function raiseRows(rows: Float32Array[], to: Float32Array): void {
  for (let i = 0; i < to.length; i++) {
    let darkest = Number.POSITIVE_INFINITY;
    for (const row of rows) darkest = Math.min(darkest, row[i] as number);
    to[i] = Math.max(to[i] as number, darkest / 2);
  }
}

/** Light outside 0..1 is clamped. */
function toStored(light: number): number {
  if (light <= 0) return 0;
  return light >= 1 ? 1 : fromLight(light);
}

type RowShape = { channels: Channels; full: number };

/**
 * Converts rows in place to linear light and back, with values of 0..full; alpha is left as it is. Pictures in another
 * RGB profile use the sRGB curve too: Display P3 has the same curve, and Adobe RGB's is a power of 2.2, close enough for
 * weighting neighbours. Averages return through the same curve, so flat colours do not change in any profile.
 */
function rowLight({ channels, full }: RowShape) {
  const colours = hasAlpha(channels) ? channels - 1 : channels;
  const apply = (row: Float32Array, curve: (value: number) => number) => {
    for (let pixel = 0; pixel < row.length; pixel += channels)
      for (let i = pixel; i < pixel + colours; i++) row[i] = curve(row[i] as number);
  };
  // Integers are looked up: a power for each sample of a large picture takes longer than everything else here.
  const table = full === 1 ? undefined : Float32Array.from({ length: full + 1 }, (_, i) => toLight(i / full) * full);
  return {
    toLight: (row: Float32Array) => apply(row, table ? (value) => table[value] as number : toLight),
    fromLight: (row: Float32Array) => apply(row, (value) => toStored(value / full) * full),
  };
}
