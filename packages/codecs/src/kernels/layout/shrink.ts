// The memory layout of kernels/assembly/shrink.ts, and its fixed-point constants. AssemblyScript compiles this file
// too.

/** The fixed-point value of full light: overshoot up to 1.36 times it still fits into 16 bits. */
export const fullLight = 24_000;
/** The sum of the weights of a target sample, and its bits. */
export const fullWeight = 16_384;
export const weightBits = 14;

/** u16[256]: the linear light of each sample value. */
export const lights = 0;
/** u8[fullLight + 1]: the sample value of each light level. */
export const values = 512;
export const tablesEnd = 24_513;

/** The horizontal taps that the kernel processes at once, for grey and for colour. */
export const greyGroup = 8;
export const colourGroup = 4;
