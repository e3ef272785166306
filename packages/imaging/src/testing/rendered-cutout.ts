/** A picture composed of known layers. Planes of 0..1: colours [3, height, width], alpha [height, width]. */
export type RenderedCutout = {
  size: { width: number; height: number };
  alpha: Float32Array;
  foreground: Float32Array;
  background: Float32Array;
  /** The composite of both layers. */
  colour: Float32Array;
};

/** Signed distance to a shape's outline, px: negative inside. */
type Shape = (x: number, y: number) => number;
type Paint = (x: number, y: number) => readonly [number, number, number];

const disc =
  (cx: number, cy: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - cx, y - cy) - radius;

const line = (from: readonly [number, number], to: readonly [number, number], widthPx: number): Shape => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const square = dx * dx + dy * dy;
  const near = widthPx + 2;
  const [left, right] = [Math.min(from[0], to[0]) - near, Math.max(from[0], to[0]) + near];
  const [top, bottom] = [Math.min(from[1], to[1]) - near, Math.max(from[1], to[1]) + near];
  return (x, y) => {
    if (x < left || x > right || y < top || y > bottom) return near; // equivalent to far away, and cheaper to compute
    const t = Math.max(0, Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / square));
    return Math.hypot(x - from[0] - t * dx, y - from[1] - t * dy) - widthPx / 2;
  };
};

/** The distance to the nearest shape. */
const anyOf =
  (shapes: readonly Shape[]): Shape =>
  (x, y) => {
    let least = Number.POSITIVE_INFINITY;
    for (const shape of shapes) least = Math.min(least, shape(x, y));
    return least;
  };

/** The share of a pixel inside a shape with an edge `softnessPx` wide. */
const coverage = (distance: number, softnessPx: number) => Math.max(0, Math.min(1, 0.5 - distance / softnessPx));

/** Smooth noise of 0..1 from hashed lattice points, the same in each run. */
function noise(x: number, y: number, seed: number): number {
  const hash = (i: number, j: number) => {
    let h = Math.imul(i, 374_761_393) + Math.imul(j, 668_265_263) + Math.imul(seed, 1_274_126_177);
    h = Math.imul(h ^ (h >>> 13), 1_103_515_245);
    return ((h ^ (h >>> 16)) >>> 0) / 4_294_967_296;
  };
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const ease = (t: number) => t * t * (3 - 2 * t);
  const [u, v] = [ease(x - i), ease(y - j)];
  const top = hash(i, j) + u * (hash(i + 1, j) - hash(i, j));
  const bottom = hash(i, j + 1) + u * (hash(i + 1, j + 1) - hash(i, j + 1));
  return top + v * (bottom - top);
}

const between = (a: readonly number[], b: readonly number[], t: number) =>
  [0, 1, 2].map((i) => (a[i] ?? 0) + t * ((b[i] ?? 0) - (a[i] ?? 0))) as [number, number, number];

/** Out-of-focus foliage and sky: two scales of noise between greens and a light blue. */
const foliage: Paint = (x, y) => {
  const t = 0.65 * noise(x / 60, y / 60, 1) + 0.35 * noise(x / 13, y / 13, 2);
  return between([0.16, 0.32, 0.12], [0.75, 0.85, 0.8], Math.max(0, Math.min(1, 1.6 * t - 0.3)));
};
/** An unevenly lit wall. */
const wall: Paint = (x, y) =>
  between([0.86, 0.84, 0.8], [0.6, 0.64, 0.7], 0.7 * noise(x / 200, y / 200, 3) + 0.002 * noise(x, y, 4));
/** Dark brown with a fine grain, like hair. */
const brown: Paint = (x, y) => between([0.12, 0.07, 0.05], [0.36, 0.22, 0.14], noise(x / 5, y / 3, 5));
/** Red cloth with broad stripes. */
const cloth: Paint = (x, y) => between([0.72, 0.1, 0.12], [0.93, 0.45, 0.2], 0.5 + 0.5 * Math.sin((x + 2 * y) / 25));

type Drawing = { shape(x: number, y: number): number; paint: Paint; behind: Paint };

/** A head with sixty thin strands around it; an edge from sharp to out of focus, with holes; a wheel with spokes. */
const drawings: Record<CutoutName, (side: number) => Drawing> = {
  strands(side) {
    const head = disc(side / 2, side / 2, side * 0.27);
    const hair = anyOf(
      Array.from({ length: 60 }, (_, i) => {
        const angle = (i / 60) * 2 * Math.PI + 0.03 * Math.sin(7 * i);
        const reach = side * (0.36 + 0.06 * Math.sin(5 * i));
        const bend = angle + 0.15 * Math.sin(3 * i);
        const from = [side / 2 + side * 0.25 * Math.cos(angle), side / 2 + side * 0.25 * Math.sin(angle)] as const;
        const to = [side / 2 + reach * Math.cos(bend), side / 2 + reach * Math.sin(bend)] as const;
        return line(from, to, 1 + (i % 4) * 0.7);
      }),
    );
    return {
      shape: (x, y) => Math.max(coverage(head(x, y), 1.5), coverage(hair(x, y), 1)),
      paint: brown,
      behind: wall,
    };
  },
  softness(side) {
    const outer = disc(side / 2, side / 2, side * 0.36);
    const holes = [disc(side * 0.42, side * 0.45, side * 0.07), disc(side * 0.62, side * 0.58, side * 0.035)];
    return {
      // The edge widens from one pixel on the right to fifteen on the left, as with depth of field.
      shape: (x, y) => {
        const soft = 1 + 14 * Math.max(0, Math.min(1, 1 - x / side));
        return holes.reduce((alpha, hole) => alpha * (1 - coverage(hole(x, y), 2)), coverage(outer(x, y), soft));
      },
      paint: cloth,
      behind: foliage,
    };
  },
  wheel(side) {
    const rim = disc(side / 2, side / 2, side * 0.38);
    const spoke = anyOf(
      Array.from({ length: 18 }, (_, i) => {
        const angle = (i / 18) * 2 * Math.PI;
        return line(
          [side / 2, side / 2],
          [side / 2 + side * 0.38 * Math.cos(angle), side / 2 + side * 0.38 * Math.sin(angle)],
          2.5,
        );
      }),
    );
    const hub = disc(side / 2, side / 2, side * 0.06);
    return {
      shape: (x, y) =>
        Math.max(
          coverage(Math.abs(rim(x, y)) - side * 0.02, 1.2),
          coverage(hub(x, y), 1.2),
          coverage(spoke(x, y), 1.2),
        ),
      paint: brown,
      behind: foliage,
    };
  },
};
export type CutoutName = "strands" | "softness" | "wheel";
export const cutoutNames: readonly CutoutName[] = ["strands", "softness", "wheel"];

/** Renders a picture whose alpha and layer colours are known exactly. */
export function renderCutout(name: CutoutName, side: number): RenderedCutout {
  const { shape, paint, behind } = drawings[name](side);
  const area = side * side;
  const alpha = new Float32Array(area);
  const [foreground, background, colour] = [0, 1, 2].map(() => new Float32Array(3 * area)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0, i = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1, i += 1) {
      const a = shape(x + 0.5, y + 0.5);
      const [front, back] = [paint(x, y), behind(x, y)];
      alpha[i] = a;
      for (const channel of [0, 1, 2] as const) {
        foreground[channel * area + i] = front[channel];
        background[channel * area + i] = back[channel];
        colour[channel * area + i] = a * front[channel] + (1 - a) * back[channel];
      }
    }
  return { size: { width: side, height: side }, alpha, foreground, background, colour };
}

/**
 * The matte as a model outputs it: on a grid `factor` times coarser, blurred over a cell, and harder than the truth
 * (thin and faint parts are lost).
 */
export function coarsen(alpha: Float32Array, side: number, factor: number): { grid: Float32Array; gridSide: number } {
  const gridSide = Math.floor(side / factor);
  const mean = new Float32Array(gridSide * gridSide);
  for (let y = 0; y < gridSide * factor; y += 1)
    for (let x = 0; x < gridSide * factor; x += 1) {
      const cell = Math.floor(y / factor) * gridSide + Math.floor(x / factor);
      mean[cell] = (mean[cell] ?? 0) + (alpha[y * side + x] ?? 0) / (factor * factor);
    }
  const at = (x: number, y: number) =>
    mean[Math.max(0, Math.min(gridSide - 1, y)) * gridSide + Math.max(0, Math.min(gridSide - 1, x))] ?? 0;
  const grid = mean.map((_, i) => {
    const [x, y] = [i % gridSide, Math.floor(i / gridSide)];
    let sum = 0;
    for (const [dy, wy] of [
      [-1, 0.25],
      [0, 0.5],
      [1, 0.25],
    ] as const)
      for (const [dx, wx] of [
        [-1, 0.25],
        [0, 0.5],
        [1, 0.25],
      ] as const)
        sum += wx * wy * at(x + dx, y + dy);
    return Math.round(255 * Math.max(0, Math.min(1, 1.5 * (sum - 0.5) + 0.5))) / 255;
  });
  return { grid, gridSide };
}
