// The memory of kernels/assembly/jpeg-blocks.ts: formats/jpeg/blocks.ts fills in the tables, and lays out all that comes after
// `tablesEnd`. AssemblyScript compiles this file too.

/** u8[64]: where a coefficient of the zigzag order stands in a block of the kernel, which keeps columns for rows. */
export const places = 0;
/** f32[64]: a block on its way through the cosine transform, and beside it. */
export const block = 64;
export const turned = 320;
/** u8[64] each: in the trellis, a coefficient's best value and the place of the coefficient before it; u8[64]: places in use. */
export const before = 576;
export const open = 640;
/** u32[64]: the best value. */
export const chosen = 704;
/** f32[64] each: by coefficient in zigzag order, what it costs to leave out all up to it, and the least cost up to it. */
export const leftOut = 960;
export const least = 1216;
/** f32[64]: the lowest that `least` less `leftOut` has been up to a coefficient. */
export const lowest = 1472;

/** Tables of each component, one after the other. */
export const tables = 2048;
export const tableBytes = 3072;
/** f32[64] in the kernel's order: one over the quantiser's step. */
export const inverseSteps = 0;
/** f32[64] in the kernel's order: the quantiser's step. */
export const steps = 256;
/** f32[64] in zigzag order: what an error of a step costs. */
export const weights = 512;
/** f32[256] by run and size: bits of the code and of the value behind it. */
export const rates = 768;
/** u32[256] by run and size, then u32[16] by the size of a difference of means: how often each occurred. */
export const counts = 1792;
export const meanCounts = 2816;
/** i32: the mean of the block before. */
export const mean = 2880;
/** f32: the price of a bit, in errors of a step; f32: sizes below are left out. */
export const price = 2884;
export const deadZone = 2888;
/** f32[16] by the size of a difference of means: bits of the code and of the difference behind it. */
export const meanRates = 2892;

export const tablesEnd = 11_264;

/** Run and size of sixteen zeros, and of a block's end. */
export const sixteenZeros = 240;
export const endOfBlock = 0;
