/** The size of planes that belong together, px. */
export type PlaneSize = { width: number; height: number };

/** Red, green and blue of 0..1, plane after plane: [3, height, width]. */
export type ColourPlanes = Float32Array;
