/**
 * Planes that a thread uses again from tile to tile: a picture of 12 megapixels took a gigabyte of new ones, and to get,
 * clear and collect them took a tenth of the time.
 */
export type Scratch = Map<PlaneName, Float32Array>;

type PlaneName = "colour" | "alpha" | "foreground" | "background" | "changes" | "believed";

export const createScratch = (): Scratch => new Map();

/** A plane with the values of the last tile; it belongs to the caller until the next call with the same name. */
export function planeOf(scratch: Scratch, name: PlaneName, length: number): Float32Array {
  const known = scratch.get(name);
  if (known && known.length >= length) return known.subarray(0, length);
  const plane = new Float32Array(length);
  scratch.set(name, plane);
  return plane;
}
