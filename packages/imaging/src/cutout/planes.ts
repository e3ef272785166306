/** Red, green and blue of 0..1, planar: [3, height, width]. */
export type ColourPlanes = Float32Array;

/**
 * Planes that a thread reuses from tile to tile: new ones took a gigabyte for a picture of 12 megapixels, and
 * allocating, zeroing and collecting them a tenth of the time.
 */
export type Scratch = Map<PlaneName, Float32Array>;

type PlaneName = "colour" | "alpha" | "foreground" | "background" | "changes" | "weighted";

export const createScratch = (): Scratch => new Map();

/** A plane that still holds the last tile's values; it belongs to the caller until the next call with the same name. */
export function planeOf(scratch: Scratch, name: PlaneName, length: number): Float32Array {
  const known = scratch.get(name);
  if (known && known.length >= length) return known.subarray(0, length);
  const plane = new Float32Array(length);
  scratch.set(name, plane);
  return plane;
}
