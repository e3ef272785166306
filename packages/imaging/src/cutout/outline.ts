import { boxMean } from "./box-mean.ts";
import { cellPx, type Matte } from "./matte.ts";
import type { Profile } from "./profiles.ts";

/** Where alpha is unknown around the outline, on the matte's grid. */
export type Outline = {
  /**
   * Above 0 where alpha is open: the number of cells by which the outline's reach extends further. Elsewhere alpha is 0
   * or 1.
   */
  reach: Float32Array;
  /**
   * 0 where the outline is firm, 1 where it is as soft as hair; -1 in an area that the network leaves undecided, which
   * is no outline: colours prove nothing there.
   */
  softness: Float32Array;
};

/**
 * Finds where the matte is uncertain: along its outline, and further out where the outline is softer. A network blurs
 * detail that it cannot resolve: the width of its transition distinguishes hair from an arm.
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

/** Transition widths, in cells, that count as firm and as soft: measured on people with `npm run bench:cutout`. */
const firmWidth = 4;
const softWidth = 9;
/** Between these widths a transition turns into an undecided area. */
const hairWidth = 24;
const areaWidth = 40;
const window = 5;

/**
 * A linear ramp is six times as wide as the sum of alpha * (1 - alpha) over the sum of its gradient; any other
 * transition gets the width of the equivalent ramp.
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

/**
 * Each cell takes the largest remaining reach of its neighbours, and the softness that belongs to it: a chamfer in two
 * passes.
 */
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
