/** The common size of several planes, px. */
export type PlaneSize = { width: number; height: number };

/** Red, green and blue of 0..1, planar: [3, height, width]. */
export type ColourPlanes = Float32Array;
