// The memory of kernels/assembly/jpeg-planes.ts, which shares it with jpeg-blocks.ts: its table begins where that one's end.
// AssemblyScript compiles this file too.

/** Pairs of f32, by a sample's value from -lowestLight on, lightSteps for each: its light, and how fast light grows with it there. */
export const lights = 11_264;
export const slopes = 11_268;
export const lightSteps = 2;
export const lowestLight = 320;
export const lightCount = 1792;

export const tablesEnd = 25_600;
