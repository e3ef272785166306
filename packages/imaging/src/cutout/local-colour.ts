import type { Size } from "@tintype/codecs/raster";
import type { ColourPlanes } from "./planes.ts";

/** The colours of hair and walls do not change over less than this. */
export const squarePx = 4;

/**
 * Values of a square, interleaved: red, green, blue, the sum of squares or the variance, and the weight or the
 * certainty.
 */
const valuesPerSquare = 5;

/**
 * Sums over the subject's and the background's pixels in each square: of weighted colours, of their squares, and of
 * weights. Squares far from every open pixel are summed too, but their colours are never read.
 */
type Sums = Size & { subject: Float32Array; background: Float32Array; isAsked: Uint8Array };

/** The sums of squares, of 2x2 of them, and so on. */
export type Pyramid = Sums[];

export type ColourInputs = { colour: ColourPlanes; alpha: Float32Array; isOpen: Uint8Array; size: Size };

/**
 * Sums the colours of the pixels that are not open.
 * @param levels of the pyramid: no colour is carried further than `squarePx * 2 ** levels`
 */
export function sumSureColours(summing: ColourInputs, levels: number): Pyramid {
  const pyramid = emptyPyramid(summing, levels);
  const [base] = pyramid;
  if (!base) return pyramid;
  for (let y = 0; y < base.height; y += 1)
    for (let x = 0; x < base.width; x += 1) sumSquare(base, summing, { x, y, shareOfOpen: 0 });
  for (const [i, sums] of pyramid.entries()) {
    const below = pyramid[i - 1];
    if (!below) continue;
    for (let y = 0; y < sums.height; y += 1) for (let x = 0; x < sums.width; x += 1) sumFour(sums, below, { x, y });
  }
  return pyramid;
}

/** Sums the squares with open pixels again, now including those that were found nearly pure. */
export function addFoundColours(pyramid: Pyramid, summing: ColourInputs, shareOfOpen: number): void {
  for (const [i, sums] of pyramid.entries()) {
    const below = pyramid[i - 1];
    for (let y = 0, at = 0; y < sums.height; y += 1)
      for (let x = 0; x < sums.width; x += 1, at += 1) {
        if (sums.isAsked[at] === 0) continue;
        if (below) {
          sumFour(sums, below, { x, y });
          continue;
        }
        for (const side of [sums.subject, sums.background])
          side.fill(0, at * valuesPerSquare, (at + 1) * valuesPerSquare);
        sumSquare(sums, summing, { x, y, shareOfOpen });
      }
  }
}

function emptyPyramid({ size, isOpen }: ColourInputs, levels: number): Pyramid {
  const pyramid: Pyramid = [];
  let [below, isAskedBelow, perSquare] = [size, isOpen, squarePx];
  while (pyramid.length < levels) {
    const [width, height] = [Math.ceil(below.width / perSquare), Math.ceil(below.height / perSquare)];
    const sums = () => new Float32Array(width * height * valuesPerSquare);
    const isAsked = askedBy(isAskedBelow, below, { width, height, perSquare });
    pyramid.push({ width, height, subject: sums(), background: sums(), isAsked });
    [below, isAskedBelow, perSquare] = [{ width, height }, isAsked, 2];
  }
  return pyramid;
}

/**
 * The squares that bilinear interpolation reads for the marked squares below: their parents and the neighbours of
 * those.
 */
function askedBy(isAskedBelow: Uint8Array, below: Size, { width, height, perSquare }: Squares): Uint8Array {
  const isOver = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < below.height; y += 1) {
    const row = Math.floor(y / perSquare) * width;
    for (let x = 0; x < below.width; x += 1, i += 1)
      if (isAskedBelow[i] === 1) isOver[row + Math.floor(x / perSquare)] = 1;
  }
  const isAsked = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, i += 1) {
      if (isOver[i] === 0) continue;
      const [first, end] = [Math.max(0, x - 1), Math.min(width, x + 2)];
      for (let near = Math.max(0, y - 1); near < Math.min(height, y + 2); near += 1)
        isAsked.fill(1, near * width + first, near * width + end);
    }
  return isAsked;
}
type Squares = Size & { perSquare: number };

type Position = { x: number; y: number };

function sumSquare(
  { width, subject, background }: Sums,
  { colour, alpha, isOpen, size }: ColourInputs,
  { x, y, shareOfOpen }: Position & { shareOfOpen: number },
): void {
  const at = (y * width + x) * valuesPerSquare;
  const area = size.width * size.height;
  const right = Math.min(size.width, (x + 1) * squarePx);
  const bottom = Math.min(size.height, (y + 1) * squarePx);
  for (let row = y * squarePx; row < bottom; row += 1)
    for (let column = x * squarePx, i = row * size.width + column; column < right; column += 1, i += 1) {
      const value = alpha[i] as number;
      const share = isOpen[i] === 0 ? 1 : shareOfOpen;
      if (share === 0 || (value <= 0.9 && value >= 0.1)) continue;
      const side = value > 0.9 ? subject : background;
      const own = Math.fround(share * (value > 0.9 ? value : 1 - value));
      const r = colour[i] as number;
      const g = colour[area + i] as number;
      const b = colour[2 * area + i] as number;
      side[at] = (side[at] as number) + own * r;
      side[at + 1] = (side[at + 1] as number) + own * g;
      side[at + 2] = (side[at + 2] as number) + own * b;
      side[at + 3] = (side[at + 3] as number) + own * (r * r + g * g + b * b);
      side[at + 4] = (side[at + 4] as number) + own;
    }
}

function sumFour(sums: Sums, below: Sums, { x, y }: Position): void {
  const at = (y * sums.width + x) * valuesPerSquare;
  const first = (2 * y * below.width + 2 * x) * valuesPerSquare;
  const right = 2 * x + 1 < below.width ? valuesPerSquare : 0;
  const down = 2 * y + 1 < below.height ? below.width * valuesPerSquare : 0;
  sumInto(sums.subject, below.subject, { at, first, right, down });
  sumInto(sums.background, below.background, { at, first, right, down });
}

type Four = { at: number; first: number; right: number; down: number };

function sumInto(target: Float32Array, from: Float32Array, { at, first, right, down }: Four): void {
  for (let k = 0; k < valuesPerSquare; k += 1) {
    let sum = from[first + k] as number;
    if (right > 0) sum = Math.fround(sum + (from[first + right + k] as number));
    if (down > 0) sum = Math.fround(sum + (from[first + down + k] as number));
    if (right > 0 && down > 0) sum += from[first + right + down + k] as number;
    target[at + k] = sum;
  }
}

/**
 * Mean colours, their variance, and their certainty, for the marked squares. The first four values are premultiplied by
 * the certainty: 1 if colours were found nearby, 0 if there were none.
 */
export type ColourField = Size & { values: Float32Array };

/**
 * Extrapolates the colours of one side beyond its pixels: a short way from a few pixels, further from many. Sums go up
 * the pyramid (pull), means come down (push); each level contributes by its weight.
 */
export function extendColours(pyramid: Pyramid, side: "subject" | "background"): ColourField {
  let field: ColourField = { width: 0, height: 0, values: new Float32Array(0) };
  for (const sums of pyramid.toReversed()) field = descend(sums, sums[side], field);
  return field;
}

/** The weight, in pixels, at which a square counts as much as its surroundings. */
const halfConfidence = 6;

function descend({ width, height, isAsked }: Sums, sums: Float32Array, above: ColourField): ColourField {
  const values = new Float32Array(sums.length);
  const reader = readField(above, { perSquare: 2 });
  const around = reader.values;
  for (let y = 0, square = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, square += 1) {
      if (isAsked[square] === 0) continue;
      reader.moveTo(x, y);
      const i = square * valuesPerSquare;
      const weight = sums[i + 4] as number;
      const rest = halfConfidence / (weight + halfConfidence);
      const factor = weight === 0 ? 0 : 1 / weight;
      const own = 1 - rest;
      const r = (sums[i] as number) * factor;
      const g = (sums[i + 1] as number) * factor;
      const b = (sums[i + 2] as number) * factor;
      const spread = Math.max(0, (sums[i + 3] as number) * factor - r * r - g * g - b * b);
      values[i] = own * r + rest * (around[0] as number);
      values[i + 1] = own * g + rest * (around[1] as number);
      values[i + 2] = own * b + rest * (around[2] as number);
      values[i + 3] = own * spread + rest * (around[3] as number);
      values[i + 4] = own + rest * (around[4] as number);
    }
  return { width, height, values };
}

/**
 * A bilinear reader of a field, for the pixels of a grid `perSquare` times finer: `values` are those of the pixel last
 * moved to. Fastest when the pixels of a row are read in order.
 */
export function readField({ width, height, values: field }: ColourField, { perSquare }: { perSquare: number }) {
  const values = new Float64Array(valuesPerSquare);
  const [left, right] = [new Float32Array(valuesPerSquare), new Float32Array(valuesPerSquare)];
  let [leftAt, row] = [-1, -1];
  const place = (i: number, count: number) => Math.min(count - 1, Math.max(0, (i + 0.5) / perSquare - 0.5));
  function blend(column: number, y: number): void {
    [leftAt, row] = [column, y];
    const down = place(y, height);
    const top = Math.floor(down);
    const share = down - top;
    const first = (top * width + column) * valuesPerSquare;
    const beside = width > 1 ? valuesPerSquare : 0;
    const below = top + 1 < height ? width * valuesPerSquare : 0;
    for (let k = 0, at = first; k < valuesPerSquare; k += 1, at += 1) {
      left[k] = (field[at] as number) * (1 - share) + (field[at + below] as number) * share;
      right[k] = (field[at + beside] as number) * (1 - share) + (field[at + beside + below] as number) * share;
    }
  }
  return {
    values,
    moveTo(x: number, y: number): void {
      if (width === 0) return;
      const across = place(x, width);
      const column = Math.min(Math.floor(across), Math.max(0, width - 2));
      if (column !== leftAt || y !== row) blend(column, y);
      const share = across - column;
      for (let k = 0; k < valuesPerSquare; k += 1)
        values[k] = (left[k] as number) * (1 - share) + (right[k] as number) * share;
    },
  };
}
