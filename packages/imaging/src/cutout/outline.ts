import { boxMean } from "./box-mean.ts";
import { cellPx, type Matte } from "./matte.ts";
import type { Profile } from "./profiles.ts";

/** The outline's surroundings, on the matte's grid. */
export type Outline = {
  /** Above 0 where alpha is still open, by how many cells the outline's reach goes beyond; elsewhere it is 0 or 1. */
  reach: Float32Array;
  /**
   * 0 where the outline is firm, 1 where it is as soft as hair; -1 where there is none, but an area over which the
   * network is undecided, and colours prove nothing.
   */
  softness: Float32Array;
};

/**
 * Finds where the matte is uncertain: along its outline, and further where the outline is softer. A network blurs the
 * details that it cannot resolve: the width of its transition distinguishes hair from an arm.
 */
export function findOutline(matte: Matte, { reach }: Pick<Profile, "reach">): Outline {
  const { values, width, height } = matte;
  const softness = measureSoftness(matte);
  // A picture smaller than the grid still has outlines a pixel and a half wide.
  const least = 1.5 / cellPx(matte);
  const reaches = new Float32Array(values.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const cell = y * width + x;
      if (!isOnOutline(matte, x, y)) continue;
      const soft = Math.max(0, softness[cell] as number);
      reaches[cell] = Math.max(least, reach.firm + soft * (reach.soft - reach.firm));
    }
  spread(reaches, softness, matte);
  return { reach: reaches, softness };
}

function isOnOutline({ values, width, height }: Matte, x: number, y: number): boolean {
  const value = values[y * width + x] as number;
  if (value > 0.04 && value < 0.96) return true;
  const isIn = value > 0.5;
  return (
    (x + 1 < width && (values[y * width + x + 1] as number) > 0.5 !== isIn) ||
    (y + 1 < height && (values[(y + 1) * width + x] as number) > 0.5 !== isIn)
  );
}

/** Transitions of these widths, in cells, count as firm and as soft: measured on people in `npm run bench:cutout`. */
const firmWidth = 4;
const softWidth = 9;
/** Beyond these it is no transition any more. */
const hairWidth = 24;
const areaWidth = 40;
const window = 5;

/**
 * The width of a straight ramp is six times the sum of alpha * (1 - alpha) over the sum of its gradient; for any other
 * transition it is as wide as that ramp.
 */
function measureSoftness(matte: Matte): Float32Array {
  const { values, width, height } = matte;
  const mixed = new Float32Array(values.length);
  const gradient = new Float32Array(values.length);
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, cell += 1) {
      const value = values[cell] as number;
      mixed[cell] = value * (1 - value);
      const dx = (values[x + 1 < width ? cell + 1 : cell] as number) - value;
      const dy = (values[y + 1 < height ? cell + width : cell] as number) - value;
      if (dx !== 0 || dy !== 0) gradient[cell] = Math.sqrt(dx * dx + dy * dy);
    }
  const scratch = new Float32Array(values.length);
  for (const plane of [mixed, gradient]) boxMean(plane, { size: matte, radius: window, scratch, target: plane });
  for (let cell = 0; cell < mixed.length; cell += 1) {
    const ramp = (6 * (mixed[cell] as number)) / ((gradient[cell] as number) + 1e-4);
    const soft = Math.min(1, Math.max(0, (ramp - firmWidth) / (softWidth - firmWidth)));
    const undecided = Math.min(1, Math.max(0, (ramp - hairWidth) / (areaWidth - hairWidth)));
    mixed[cell] = soft - 2 * undecided;
  }
  return mixed;
}

/** Each cell takes the largest reach that its neighbours leave for it, with their softness. */
function spread(reach: Float32Array, softness: Float32Array, { width, height }: Matte): void {
  const take = (cell: number, from: number, distance: number) => {
    const left = (reach[from] as number) - distance;
    if (left <= (reach[cell] as number)) return;
    reach[cell] = left;
    softness[cell] = softness[from] as number;
  };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const cell = y * width + x;
      if (x > 0) take(cell, cell - 1, 1);
      if (y === 0) continue;
      take(cell, cell - width, 1);
      if (x > 0) take(cell, cell - width - 1, 4 / 3);
      if (x + 1 < width) take(cell, cell - width + 1, 4 / 3);
    }
  for (let y = height - 1; y >= 0; y -= 1)
    for (let x = width - 1; x >= 0; x -= 1) {
      const cell = y * width + x;
      if (x + 1 < width) take(cell, cell + 1, 1);
      if (y + 1 === height) continue;
      take(cell, cell + width, 1);
      if (x + 1 < width) take(cell, cell + width + 1, 4 / 3);
      if (x > 0) take(cell, cell + width - 1, 4 / 3);
    }
}
