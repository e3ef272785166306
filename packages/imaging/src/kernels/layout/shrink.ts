// The memory of kernels/assembly/shrink.ts, and its whole numbers. AssemblyScript compiles this file too.

/** Light is a whole number up to this one: overshoot up to 1.36 of it still fits 16 bits. */
export const fullLight = 24_000;
/** The sum of a target sample's weights, and its bits. */
export const fullWeight = 16_384;
export const weightBits = 14;

/** u16[256]: the light of each sample value. */
export const lights = 0;
/** u8[fullLight + 1]: the sample value of each light. */
export const values = 512;
export const tablesEnd = 24_513;

/** Taps across that the kernel takes at once, of grey and of colours. */
export const greyGroup = 8;
export const colourGroup = 4;
