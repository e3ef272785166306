import type { ColourPlanes, PlaneSize } from "./planes.ts";

export type Layers = { foreground: ColourPlanes; background: ColourPlanes };

/**
 * The colours of the subject and of what is behind it, given alpha: without them a hair keeps the colour of the wall
 * it stood before. Both are made as smooth as the picture lets them be, from the smallest level to the full one.
 *
 * Source: T. Germer, T. Uelwer, S. Conrad, S. Harmeling, "Fast Multi-Level Foreground Estimation", ICPR 2020, with its
 * constants. Unlike there, on the larger levels only mixed pixels are worked on: where alpha is 0 or 1 one layer is the
 * picture itself and the other one unseen.
 */
export function estimateLayers(colour: ColourPlanes, alpha: Float32Array, { size }: { size: PlaneSize }): Layers {
  let layers: (Layers & { size: PlaneSize }) | undefined;
  for (const level of levelsOf(size)) {
    const isFull = level.width === size.width && level.height === size.height;
    const image = isFull ? colour : resize(colour, { from: size, to: level, planes: 3 });
    const matte = isFull ? alpha : resize(alpha, { from: size, to: level, planes: 1 });
    const next = layers
      ? {
          foreground: resize(layers.foreground, { from: layers.size, to: level, planes: 3 }),
          background: resize(layers.background, { from: layers.size, to: level, planes: 3 }),
        }
      : { foreground: image.slice(), background: image.slice() };
    const isSmall = level.width <= smallSide && level.height <= smallSide;
    if (!isSmall) setPure(image, matte, next);
    const sweeps = isSmall ? sweepsOfSmall : sweepsOfLarge;
    for (let sweep = 0; sweep < sweeps; sweep += 1) relax(image, matte, { size: level, layers: next, isSmall });
    layers = { ...next, size: level };
  }
  return layers ?? { foreground: colour.slice(), background: colour.slice() };
}

const smallSide = 32;
const sweepsOfSmall = 10;
const sweepsOfLarge = 2;

/** From a single pixel to the full size, each twice the one before. */
function levelsOf(size: PlaneSize): PlaneSize[] {
  const levels = [size];
  for (let { width, height } = size; width > 1 || height > 1; ) {
    width = Math.ceil(width / 2);
    height = Math.ceil(height / 2);
    levels.unshift({ width, height });
  }
  return levels;
}

const isFront = 0.995;
const isBack = 0.005;

function setPure(image: ColourPlanes, alpha: Float32Array, { foreground, background }: Layers): void {
  const area = alpha.length;
  for (let i = 0; i < area; i += 1) {
    const value = alpha[i] as number;
    const pure = value >= isFront ? foreground : value <= isBack ? background : undefined;
    if (pure) for (let at = i; at < 3 * area; at += area) pure[at] = image[at] as number;
  }
}

const regularisation = 1e-5;

/** One sweep over the pixels: each takes the best pair of colours given its neighbours' present ones. */
function relax(
  image: ColourPlanes,
  alpha: Float32Array,
  { size, layers, isSmall }: { size: PlaneSize; layers: Layers; isSmall: boolean },
): void {
  const { width, height } = size;
  const area = width * height;
  const { foreground, background } = layers;
  for (let y = 0, i = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, i += 1) {
      const a0 = alpha[i] as number;
      if (!isSmall && (a0 >= isFront || a0 <= isBack)) continue;
      const a1 = 1 - a0;
      const left = x > 0 ? i - 1 : i;
      const right = x + 1 < width ? i + 1 : i;
      const up = y > 0 ? i - width : i;
      const down = y + 1 < height ? i + width : i;
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

type Resizing = { from: PlaneSize; to: PlaneSize; planes: number };

/** The nearest pixel, as in the paper: a mean over a hair and its surroundings is the colour of neither. */
function resize(source: Float32Array, { from, to, planes }: Resizing): Float32Array {
  const target = new Float32Array(to.width * to.height * planes);
  const columns = Int32Array.from({ length: to.width }, (_, x) => Math.floor(((x + 0.5) * from.width) / to.width));
  let at = 0;
  for (let plane = 0; plane < planes; plane += 1)
    for (let y = 0; y < to.height; y += 1) {
      const row = (plane * from.height + Math.floor(((y + 0.5) * from.height) / to.height)) * from.width;
      for (let x = 0; x < to.width; x += 1, at += 1) target[at] = source[row + (columns[x] as number)] as number;
    }
  return target;
}
