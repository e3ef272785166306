import type { IntegerSamples, Raster } from "@tintype/codecs/raster";

/**
 * Bleeds the surrounding colours into transparent pixels, in place: a network would mix any other colour there into the
 * edges. Alpha is unchanged. Below an alpha of a sixteenth a pixel keeps only a part of its colour, because few of its
 * levels are left.
 *
 * Each level of a pyramid averages 2x2 pixels weighted by alpha; on the way back, pixels without a colour take that of
 * the coarser level ("pull-push", Gortler et al., The Lumigraph, 1996). Takes a third of the picture's memory in
 * addition.
 * @param picture whose last channel is alpha, not premultiplied
 */
export function bleedColours({ data, width, height, channels }: Raster): void {
  const full = data instanceof Uint16Array ? 65_535 : 255;
  const trusted = Math.ceil(full / 16);
  fill({ data, width, height, channels }, (alpha) => Math.min(1, alpha / trusted));
}

type Level = { data: IntegerSamples; width: number; height: number; channels: number };
/** The share of its own colour that a pixel keeps. */
type Trust = (alpha: number) => number;

function fill(level: Level, trust: Trust): void {
  if (level.width === 1 && level.height === 1) return;
  if (!hasGaps(level, trust)) return;
  const above = halve(level);
  fill(above, trust);
  takeFrom(above, level, trust);
}

function hasGaps({ data, channels }: Level, trust: Trust): boolean {
  for (let i = channels - 1; i < data.length; i += channels) if (trust(data[i] as number) < 1) return true;
  return false;
}

/** Means of 2x2 pixels; alpha is their maximum, so that the colour of a single pixel spreads far. */
function halve({ data, width, height, channels }: Level): Level {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const half = data instanceof Uint16Array ? new Uint16Array(w * h * channels) : new Uint8Array(w * h * channels);
  const sums = new Float64Array(channels);
  for (let y = 0, out = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1, out += channels) {
      sums.fill(0);
      let weights = 0;
      let alpha = 0;
      for (let row = 2 * y; row < Math.min(height, 2 * y + 2); row += 1)
        for (let column = 2 * x; column < Math.min(width, 2 * x + 2); column += 1) {
          const at = (row * width + column) * channels;
          const own = data[at + channels - 1] as number;
          for (let c = 0; c < channels - 1; c += 1) sums[c] = (sums[c] as number) + own * (data[at + c] as number);
          weights += own;
          alpha = Math.max(alpha, own);
        }
      if (weights > 0) for (let c = 0; c < channels - 1; c += 1) half[out + c] = (sums[c] as number) / weights + 0.5;
      half[out + channels - 1] = alpha;
    }
  return { data: half, width: w, height: h, channels };
}

/** Pixels with little colour of their own take the rest from the coarser level, by bilinear interpolation. */
function takeFrom(above: Level, { data, width, height, channels }: Level, trust: Trust): void {
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += channels) {
      const own = trust(data[at + channels - 1] as number);
      if (own === 1) continue;
      for (let c = 0; c < channels - 1; c += 1)
        data[at + c] = own * (data[at + c] as number) + (1 - own) * between(above, { x, y, c }) + 0.5;
    }
}

/**
 * The coarser level at a pixel of the finer one: three quarters of the nearest and a quarter of the next, on each axis.
 */
function between({ data, width, height, channels }: Level, { x, y, c }: { x: number; y: number; c: number }): number {
  const [left, top] = [x >> 1, y >> 1];
  const right = Math.min(width - 1, Math.max(0, left + (x & 1 ? 1 : -1)));
  const below = Math.min(height - 1, Math.max(0, top + (y & 1 ? 1 : -1)));
  const at = (column: number, row: number) => data[(row * width + column) * channels + c] as number;
  return (9 * at(left, top) + 3 * (at(right, top) + at(left, below)) + at(right, below)) / 16;
}
