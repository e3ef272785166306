import { allocateLike, fullScale, hasAlpha, type IntegerSamples, type Raster, resized } from "@tintype/codecs/raster";
import { straightenedPoint } from "@tintype/contract";
import { finish, type Steps } from "./steps.ts";

type Part = { left: number; top: number; width: number; rows: number };

/** A picture with random access to its parts. */
export type PartReader = Omit<Raster, "data"> & { readPart(part: Part): IntegerSamples };

export type StraightenOptions = {
  /** Clockwise, -45 to 45. */
  degrees: number;
  /** px of the rotated picture's bounding box; `left` and `top` may be fractional. */
  region: { left: number; top: number; width: number; height: number };
};

/** Tiles limit how much of the source is read at a time, at any angle. */
const tilePx = 256;

/** Lanczos-3, as for enlarging. */
const lobes = 3;
const taps = 2 * lobes;
/** Subpixel positions. 8-bit samples cannot resolve more. */
const phases = 512;

/** The weights of the taps at each phase, normalised. */
const weights = (() => {
  const table = new Float64Array((phases + 1) * taps);
  for (let phase = 0; phase <= phases; phase++) {
    const row = table.subarray(phase * taps, (phase + 1) * taps);
    for (let tap = 0; tap < taps; tap++) row[tap] = lanczos(tap - lobes + 1 - phase / phases);
    const sum = row.reduce((sofar, weight) => sofar + weight, 0);
    for (let tap = 0; tap < taps; tap++) row[tap] = (row[tap] as number) / sum;
  }
  return table;
})();

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= lobes) return 0;
  const angle = Math.PI * x;
  return (lobes * Math.sin(angle) * Math.sin(angle / lobes)) / angle ** 2;
}

/**
 * Writes a region of a picture rotated about its centre, tile by tile, in its own channels and depth. Edge pixels are
 * replicated beyond the picture, so that an upright region within it has no corners of another colour. Alpha is
 * premultiplied for filtering: transparent pixels do not bleed their colour.
 */
export function* straightenSteps(
  source: PartReader,
  { degrees, region }: StraightenOptions,
  writePart: (samples: IntegerSamples, part: Part) => void,
): Steps<void> {
  const tilesDown = Math.ceil(region.height / tilePx);
  for (let down = 0; down < tilesDown; down++) {
    const top = down * tilePx;
    const rows = Math.min(tilePx, region.height - top);
    for (let left = 0; left < region.width; left += tilePx) {
      const part = { left, top, width: Math.min(tilePx, region.width - left), rows };
      writePart(straightenPart(source, { degrees, region, part }), part);
      yield (down + (left + part.width) / region.width) / tilesDown;
    }
  }
}

/** The same for a picture in memory, run to its end. */
export function straightenRaster(raster: Raster, straightening: StraightenOptions): Raster {
  const { channels } = raster;
  const made = resized(raster, straightening.region);
  const source = { ...raster, readPart: (part: Part) => cutPart(raster, part) };
  const writePart = (samples: IntegerSamples, { left, top, width, rows }: Part) => {
    for (let row = 0; row < rows; row++) {
      const line = samples.subarray(row * width * channels, (row + 1) * width * channels);
      made.data.set(line, ((top + row) * made.width + left) * channels);
    }
  };
  finish(straightenSteps(source, straightening, writePart));
  return made;
}

function cutPart({ data, width: across, channels }: Raster, { left, top, width, rows }: Part): IntegerSamples {
  const cut = allocateLike(data, width * rows * channels);
  for (let row = 0; row < rows; row++) {
    const from = ((top + row) * across + left) * channels;
    cut.set(data.subarray(from, from + width * channels), row * width * channels);
  }
  return cut;
}

function straightenPart(
  source: PartReader,
  { degrees, region, part }: StraightenOptions & { part: Part },
): IntegerSamples {
  const pointOf = (x: number, y: number) => {
    const at = { degrees, x: region.left + part.left + x + 0.5, y: region.top + part.top + y + 0.5 };
    const point = straightenedPoint(source, at);
    return { x: point.x - 0.5, y: point.y - 0.5 };
  };
  const corners = [
    pointOf(0, 0),
    pointOf(part.width - 1, 0),
    pointOf(0, part.rows - 1),
    pointOf(part.width - 1, part.rows - 1),
  ];
  const across = rangeOf(
    corners.map(({ x }) => x),
    source.width,
  );
  const down = rangeOf(
    corners.map(({ y }) => y),
    source.height,
  );
  const window = { left: across.first, top: down.first, width: across.count, rows: down.count };
  const samples = source.readPart(window);
  const start = pointOf(0, 0);
  const right = pointOf(1, 0);
  const below = pointOf(0, 1);
  return sampleAffine(
    { samples, channels: source.channels, width: window.width, height: window.rows },
    {
      width: part.width,
      height: part.rows,
      x: start.x - window.left,
      y: start.y - window.top,
      perColumn: { x: right.x - start.x, y: right.y - start.y },
      perRow: { x: below.x - start.x, y: below.y - start.y },
    },
  );
}

/** The pixels along one axis that the kernel reads. */
function rangeOf(places: readonly number[], size: number): { first: number; count: number } {
  const clamp = (place: number) => Math.min(size - 1, Math.max(0, place));
  const first = clamp(Math.floor(Math.min(...places)) - lobes);
  const last = clamp(Math.floor(Math.max(...places)) + lobes + 1);
  return { first, count: last - first + 1 };
}

type Window = { samples: IntegerSamples; channels: Raster["channels"]; width: number; height: number };
type Vector = { x: number; y: number };
type Grid = Vector & { width: number; height: number; perColumn: Vector; perRow: Vector };

/** Samples a window at the points of a grid. */
function sampleAffine({ samples, channels, width, height }: Window, grid: Grid): IntegerSamples {
  const full = fullScale(samples);
  const length = grid.width * grid.height * channels;
  const made = samples instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length);
  const isTransparent = hasAlpha(channels);
  const colours = isTransparent ? channels - 1 : channels;
  // The taps of one point as a flat list, summed for each channel.
  const places = new Int32Array(taps * taps);
  const shares = new Float64Array(taps * taps);
  const columns = new Int32Array(taps);
  let to = 0;
  for (let row = 0; row < grid.height; row++) {
    for (let column = 0; column < grid.width; column++) {
      const x = grid.x + row * grid.perRow.x + column * grid.perColumn.x;
      const y = grid.y + row * grid.perRow.y + column * grid.perColumn.y;
      const left = Math.floor(x);
      const top = Math.floor(y);
      const acrossAt = Math.round((x - left) * phases) * taps;
      const downAt = Math.round((y - top) * phases) * taps;
      const firstLeft = left - lobes + 1;
      const firstTop = top - lobes + 1;
      const isInside = firstLeft >= 0 && firstTop >= 0 && firstLeft + taps <= width && firstTop + taps <= height;
      if (isInside && !isTransparent) {
        // The fast path for most points of most pictures: contiguous taps, in a third of the time.
        const w0 = weights[acrossAt] as number;
        const w1 = weights[acrossAt + 1] as number;
        const w2 = weights[acrossAt + 2] as number;
        const w3 = weights[acrossAt + 3] as number;
        const w4 = weights[acrossAt + 4] as number;
        const w5 = weights[acrossAt + 5] as number;
        const first = (firstTop * width + firstLeft) * channels;
        for (let channel = 0; channel < channels; channel++) {
          let sum = 0;
          let at = first + channel;
          for (let i = 0; i < taps; i++) {
            sum +=
              (weights[downAt + i] as number) *
              (w0 * (samples[at] as number) +
                w1 * (samples[at + channels] as number) +
                w2 * (samples[at + 2 * channels] as number) +
                w3 * (samples[at + 3 * channels] as number) +
                w4 * (samples[at + 4 * channels] as number) +
                w5 * (samples[at + 5 * channels] as number));
            at += width * channels;
          }
          made[to++] = sum <= 0 ? 0 : sum >= full ? full : sum + 0.5;
        }
        continue;
      }
      for (let tap = 0; tap < taps; tap++) {
        const at = firstLeft + tap;
        columns[tap] = (at < 0 ? 0 : at >= width ? width - 1 : at) * channels;
      }
      let alpha = 0;
      for (let i = 0; i < taps; i++) {
        const line = firstTop + i;
        const lineAt = (line < 0 ? 0 : line >= height ? height - 1 : line) * width * channels;
        const downWeight = weights[downAt + i] as number;
        for (let j = 0; j < taps; j++) {
          const at = lineAt + (columns[j] as number);
          const weight = downWeight * (weights[acrossAt + j] as number);
          const share = isTransparent ? weight * (samples[at + colours] as number) : weight;
          alpha += share;
          places[i * taps + j] = at;
          shares[i * taps + j] = share;
        }
      }
      for (let channel = 0; channel < colours; channel++) {
        let sum = 0;
        for (let k = 0; k < taps * taps; k++)
          sum += (shares[k] as number) * (samples[(places[k] as number) + channel] as number);
        const value = isTransparent ? (alpha > 0 ? sum / alpha : 0) : sum;
        made[to++] = value <= 0 ? 0 : value >= full ? full : value + 0.5;
      }
      if (isTransparent) made[to++] = alpha <= 0 ? 0 : alpha >= full ? full : alpha + 0.5;
    }
  }
  return made;
}
