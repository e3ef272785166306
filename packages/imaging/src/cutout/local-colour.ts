import type { ColourPlanes, PlaneSize } from "./planes.ts";

/**
 * Mean colours and their variance (of all three channels together), a value for each square of `squarePx`. All are
 * multiplied by `known`: 1 where colours were found near by, 0 where none were found as far as was looked.
 */
export type ColourField = PlaneSize & {
  planes: readonly [r: Plane, g: Plane, b: Plane, variance: Plane, known: Plane];
};
type Plane = Float32Array;

/** Hair and walls do not change over less than this. */
export const squarePx = 4;

/** Sums over squares: of weighted colours, of their squares, and of weights. */
type Sums = PlaneSize & { planes: readonly [Plane, Plane, Plane, Plane, Plane] };

const fivePlanes = (length: number) => {
  const plane = () => new Float32Array(length);
  return [plane(), plane(), plane(), plane(), plane()] as const;
};

/**
 * What colours look like where `weight` is, carried on to where it is not: close by from a few pixels, further away
 * from many. Sums go up a pyramid, means come down it, and each level has its say by the weight it holds.
 * @param levels of the pyramid: nothing is carried further than `squarePx * 2 ** levels`
 */
export function extendColours(
  colour: ColourPlanes,
  weight: Float32Array,
  { size, levels }: { size: PlaneSize; levels: number },
): ColourField {
  const pyramid = [sumSquares(colour, weight, size)];
  for (let sums = pyramid[0]; sums && pyramid.length < levels; sums = pyramid.at(-1)) pyramid.push(halve(sums));
  let field: ColourField = { width: 0, height: 0, planes: fivePlanes(0) };
  for (const sums of pyramid.toReversed()) field = descend(sums, field);
  return field;
}

function sumSquares(colour: ColourPlanes, weight: Float32Array, { width, height }: PlaneSize): Sums {
  const area = width * height;
  const size = { width: Math.ceil(width / squarePx), height: Math.ceil(height / squarePx) };
  const planes = fivePlanes(size.width * size.height);
  const [sr, sg, sb, squares, weights] = planes;
  for (let y = 0, i = 0; y < height; y += 1) {
    const row = Math.floor(y / squarePx) * size.width;
    for (let x = 0; x < width; x += 1, i += 1) {
      const own = weight[i] as number;
      if (own === 0) continue;
      const at = row + Math.floor(x / squarePx);
      const r = colour[i] as number;
      const g = colour[area + i] as number;
      const b = colour[2 * area + i] as number;
      sr[at] = (sr[at] as number) + own * r;
      sg[at] = (sg[at] as number) + own * g;
      sb[at] = (sb[at] as number) + own * b;
      squares[at] = (squares[at] as number) + own * (r * r + g * g + b * b);
      weights[at] = (weights[at] as number) + own;
    }
  }
  return { ...size, planes };
}

function halve(from: Sums): Sums {
  const [width, height] = [Math.ceil(from.width / 2), Math.ceil(from.height / 2)];
  const planes = fivePlanes(width * height);
  for (const [k, plane] of from.planes.entries()) {
    const target = planes[k] as Plane;
    for (let y = 0, i = 0; y < from.height; y += 1)
      for (let x = 0; x < from.width; x += 1, i += 1) {
        const at = (y >> 1) * width + (x >> 1);
        target[at] = (target[at] as number) + (plane[i] as number);
      }
  }
  return { width, height, planes };
}

/** Pixels' worth of weight at which a square is believed as much as its surroundings. */
const halfBelieved = 6;

function descend({ width, height, planes: sums }: Sums, above: ColourField): ColourField {
  const planes = fivePlanes(width * height);
  const reader = readRows(above, { width, perSquare: 2 });
  const [sr, sg, sb, squares, weights] = sums;
  const [red, green, blue, variance, known] = planes;
  for (let y = 0, i = 0; y < height; y += 1) {
    reader.moveTo(y);
    for (let x = 0; x < width; x += 1, i += 1) {
      const weight = weights[i] as number;
      const rest = halfBelieved / (weight + halfBelieved);
      const factor = weight === 0 ? 0 : 1 / weight;
      const own = 1 - rest;
      const r = (sr[i] as number) * factor;
      const g = (sg[i] as number) * factor;
      const b = (sb[i] as number) * factor;
      const spread = Math.max(0, (squares[i] as number) * factor - r * r - g * g - b * b);
      red[i] = own * r + rest * reader.at(0, x);
      green[i] = own * g + rest * reader.at(1, x);
      blue[i] = own * b + rest * reader.at(2, x);
      variance[i] = own * spread + rest * reader.at(3, x);
      known[i] = own + rest * reader.at(4, x);
    }
  }
  return { width, height, planes };
}

/**
 * Reads a field between its squares, linearly, row after row of a grid that is `perSquare` times finer.
 * `at(plane, x)` is of the row moved to last.
 */
export function readRows(field: ColourField, { width, perSquare }: { width: number; perSquare: number }) {
  const rows = fivePlanes(field.width);
  const left = new Int32Array(width);
  const share = new Float32Array(width);
  for (let x = 0; x < width && field.width > 0; x += 1) {
    const position = Math.min(field.width - 1, Math.max(0, (x + 0.5) / perSquare - 0.5));
    left[x] = Math.min(Math.floor(position), Math.max(0, field.width - 2));
    share[x] = position - (left[x] as number);
  }
  const isEmpty = field.width === 0;
  return {
    moveTo(y: number): void {
      if (isEmpty) return;
      const position = Math.min(field.height - 1, Math.max(0, (y + 0.5) / perSquare - 0.5));
      const top = Math.floor(position);
      const below = position - top;
      const [first, second] = [top * field.width, Math.min(field.height - 1, top + 1) * field.width];
      for (let k = 0; k < 5; k += 1) {
        const [row, plane] = [rows[k] as Plane, field.planes[k] as Plane];
        for (let x = 0; x < field.width; x += 1)
          row[x] = (plane[first + x] as number) * (1 - below) + (plane[second + x] as number) * below;
      }
    },
    at(plane: number, x: number): number {
      if (isEmpty) return 0;
      const row = rows[plane] as Plane;
      const i = left[x] as number;
      const u = share[x] as number;
      return (row[i] as number) * (1 - u) + (row[i + 1] ?? (row[i] as number)) * u;
    },
  };
}
