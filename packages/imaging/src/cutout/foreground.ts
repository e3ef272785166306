import type { Size } from "@tintype/codecs/raster";
import { type ColourPlanes, planeOf, type Scratch } from "./planes.ts";

/**
 * Estimates foreground colours from alpha: otherwise a hair keeps the colour of the wall behind it. Foreground and
 * background are made as smooth as the picture allows, from the coarsest level to full resolution. If neither a pixel
 * nor its neighbour is mixed, the picture's own colours are kept.
 *
 * Source: T. Germer, T. Uelwer, S. Conrad, S. Harmeling, "Fast Multi-Level Foreground Estimation", ICPR 2020, with its
 * constants. Unlike the paper, the larger levels solve for mixed pixels only: where alpha is 0 or 1, one layer equals
 * the picture and the other is invisible.
 */
export function estimateForeground(
  colour: ColourPlanes,
  alpha: Float32Array,
  { size, scratch }: { size: Size; scratch: Scratch },
): ColourPlanes {
  let layers: Layers = { width: 0, height: 0, foreground: colour.subarray(0, 0), background: colour.subarray(0, 0) };
  for (const level of levelsOf(alpha, size)) {
    const isFull = level.width === size.width && level.height === size.height;
    const image = isFull ? colour : imageAt(level, { colour, size });
    layers = startFrom(layers, image, {
      level,
      next: isFull ? fullLayers(colour, scratch) : emptyLayers(image.length),
    });
    const sweeps = level.isSmall ? sweepsOfSmall : sweepsOfLarge;
    for (let sweep = 0; sweep < sweeps; sweep += 1) relax(image, layers, level);
  }
  return layers.foreground;
}

type Planes = { foreground: ColourPlanes; background: ColourPlanes };
type Layers = Size & Planes;

function fullLayers(colour: ColourPlanes, scratch: Scratch): Planes {
  const foreground = planeOf(scratch, "foreground", colour.length);
  foreground.set(colour);
  return { foreground, background: planeOf(scratch, "background", colour.length) };
}

const emptyLayers = (length: number): Planes => ({
  foreground: new Float32Array(length),
  background: new Float32Array(length),
});

/** One pyramid level: its alpha and, ascending, the indices of the pixels whose colours are needed. */
type Level = Size & { alpha: Float32Array; pixels: Int32Array; isSmall: boolean };

const smallSide = 32;
const sweepsOfSmall = 10;
const sweepsOfLarge = 2;

/** From one pixel up to full size, doubling each time. */
function levelsOf(alpha: Float32Array, size: Size): Level[] {
  let level = levelOf(alpha, size, new Uint8Array(alpha.length));
  const levels = [level];
  while (level.width > 1 || level.height > 1) {
    const next = { width: Math.ceil(level.width / 2), height: Math.ceil(level.height / 2) };
    const isAsked = new Uint8Array(next.width * next.height);
    const [columns, rows] = nearest(level, next);
    for (let k = 0; k < level.pixels.length; k += 1) {
      const i = level.pixels[k] as number;
      const x = i % level.width;
      const [column, row] = [columns[x] as number, rows[(i - x) / level.width] as number];
      isAsked[row * next.width + column] = 1;
    }
    level = levelOf(alphaAt(next, { alpha, size }), next, isAsked);
    levels.unshift(level);
  }
  return levels;
}

/** For each column and row of one size, the nearest one of another size. */
const nearest = (size: Size, of: Size): [columns: Int32Array, rows: Int32Array] => {
  const along = (count: number, ofCount: number) => {
    const places = new Int32Array(count);
    for (let i = 0; i < count; i += 1) places[i] = Math.floor(((i + 0.5) * ofCount) / count);
    return places;
  };
  return [along(size.width, of.width), along(size.height, of.height)];
};

/** @param isAsked from the next larger level; this function adds the mixed pixels and their neighbours */
function levelOf(alpha: Float32Array, { width, height }: Size, isAsked: Uint8Array): Level {
  const isSmall = width <= smallSide && height <= smallSide;
  if (isSmall) return { width, height, alpha, isSmall, pixels: placesOf(isAsked.fill(1)) };
  for (let y = 0, i = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, i += 1) {
      const value = alpha[i] as number;
      const right = x + 1 < width ? i + 1 : i;
      const down = y + 1 < height ? i + width : i;
      if (value > 0 && value < 1) isAsked[i] = 1;
      if (value !== alpha[right]) isAsked[i] = isAsked[right] = 1;
      if (value !== alpha[down]) isAsked[i] = isAsked[down] = 1;
    }
  return { width, height, alpha, isSmall, pixels: placesOf(isAsked) };
}

function placesOf(isAsked: Uint8Array): Int32Array {
  const places = new Int32Array(isAsked.length);
  let count = 0;
  for (let i = 0; i < isAsked.length; i += 1) {
    if (isAsked[i] === 0) continue;
    places[count] = i;
    count += 1;
  }
  return places.slice(0, count);
}

/** Nearest neighbour, as in the paper: the mean of a hair and its surroundings is the colour of neither. */
function alphaAt(level: Size, { alpha, size }: { alpha: Float32Array; size: Size }): Float32Array {
  const target = new Float32Array(level.width * level.height);
  const [columns, rows] = nearest(level, size);
  for (let y = 0, i = 0; y < level.height; y += 1) {
    const row = (rows[y] as number) * size.width;
    for (let x = 0; x < level.width; x += 1, i += 1) target[i] = alpha[row + (columns[x] as number)] as number;
  }
  return target;
}

/** Nearest neighbour too, for the pixels whose colours are needed. */
function imageAt(
  { width, height, pixels }: Level,
  { colour, size }: { colour: ColourPlanes; size: Size },
): ColourPlanes {
  const [area, sourceArea] = [width * height, size.width * size.height];
  const image = new Float32Array(3 * area);
  const [columns, rows] = nearest({ width, height }, size);
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    const x = i % width;
    const source = (rows[(i - x) / width] as number) * size.width + (columns[x] as number);
    image[i] = colour[source] as number;
    image[area + i] = colour[sourceArea + source] as number;
    image[2 * area + i] = colour[2 * sourceArea + source] as number;
  }
  return image;
}

const isFront = 0.995;
const isBack = 0.005;

/** The colours of the coarser level; on the larger levels, the picture's own where only one layer is visible. */
function startFrom(
  below: Layers,
  image: ColourPlanes,
  { level, next: { foreground, background } }: { level: Level; next: Planes },
): Layers {
  const { width, height, alpha, pixels, isSmall } = level;
  const isFirst = below.width === 0;
  const [area, areaBelow] = [width * height, below.width * below.height];
  const [columns, rows] = nearest(level, below);
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    const x = i % width;
    const a = alpha[i] as number;
    const isFrontOnly = isFirst || (!isSmall && a >= isFront);
    const isBackOnly = isFirst || (!isSmall && a <= isBack);
    let source = (rows[(i - x) / width] as number) * below.width + (columns[x] as number);
    for (let at = i; at < 3 * area; at += area, source += areaBelow) {
      foreground[at] = (isFrontOnly ? image[at] : below.foreground[source]) as number;
      background[at] = (isBackOnly ? image[at] : below.background[source]) as number;
    }
  }
  return { width, height, foreground, background };
}

const regularisation = 1e-5;

/** One Gauss-Seidel sweep: each pixel gets the best pair of colours given its neighbours' current ones. */
function relax(image: ColourPlanes, { foreground, background }: Layers, level: Level): void {
  const { width, height, alpha, pixels, isSmall } = level;
  const area = width * height;
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    const a0 = alpha[i] as number;
    if (!isSmall && (a0 >= isFront || a0 <= isBack)) continue;
    const a1 = 1 - a0;
    const x = i % width;
    const left = x > 0 ? i - 1 : i;
    const right = x + 1 < width ? i + 1 : i;
    const up = i >= width ? i - width : i;
    const down = i + width < area ? i + width : i;
    const wl = regularisation + Math.abs(a0 - (alpha[left] as number));
    const wr = regularisation + Math.abs(a0 - (alpha[right] as number));
    const wu = regularisation + Math.abs(a0 - (alpha[up] as number));
    const wd = regularisation + Math.abs(a0 - (alpha[down] as number));
    const sum = wl + wr + wu + wd;
    const a00 = a0 * a0 + sum;
    const a01 = a0 * a1;
    const a11 = a1 * a1 + sum;
    const inverse = 1 / (a00 * a11 - a01 * a01);
    for (let at = 0; at < 3 * area; at += area) {
      const value = image[at + i] as number;
      const b0 =
        a0 * value +
        wl * (foreground[at + left] as number) +
        wr * (foreground[at + right] as number) +
        wu * (foreground[at + up] as number) +
        wd * (foreground[at + down] as number);
      const b1 =
        a1 * value +
        wl * (background[at + left] as number) +
        wr * (background[at + right] as number) +
        wu * (background[at + up] as number) +
        wd * (background[at + down] as number);
      foreground[at + i] = Math.min(1, Math.max(0, (a11 * b0 - a01 * b1) * inverse));
      background[at + i] = Math.min(1, Math.max(0, (a00 * b1 - a01 * b0) * inverse));
    }
  }
}
