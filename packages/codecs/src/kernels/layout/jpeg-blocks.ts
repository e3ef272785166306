// The memory layout of kernels/assembly/jpeg-blocks.ts. formats/jpeg/quantize-picture.ts fills in the tables, and lays
// out everything after `tablesEnd`. AssemblyScript compiles this file too.

/** u8[64]: by zigzag index, the position of the coefficient in the kernel's blocks, which are transposed. */
export const places = 0;
/** f32[64]: a block, and its transpose. */
export const block = 64;
export const transposed = 320;
/** For the trellis, u8[64] each: the zigzag index of the previous nonzero coefficient; the indices that may be nonzero. */
export const predecessor = 576;
export const candidates = 640;
/** u32[64]: the best magnitude of each coefficient. */
export const chosen = 704;
/** f32[64] each: by zigzag index, the distortion if all coefficients up to it are zero, and the least cost up to it. */
export const zeroingCost = 960;
export const leastCost = 1216;
/** f32[64]: by zigzag index, the minimum so far of `leastCost` less `zeroingCost`. */
export const lowestGain = 1472;

/** The tables of the components, one after the other. */
export const tables = 2048;
export const tableBytes = 3072;
/** f32[64] in the kernel's order: one over the quantization step. */
export const inverseSteps = 0;
/** f32[64] in the kernel's order: the quantization step. */
export const steps = 256;
/** f32[64] in zigzag order: the cost of a squared error of a step. */
export const weights = 512;
/** f32[256] by AC symbol (run and size): bits of the code and of the additional bits. */
export const acRates = 768;
/** u32[256] by AC symbol, then u32[16] by the magnitude category of a DC difference: the counts. */
export const acCounts = 1792;
export const dcCounts = 2816;
/** i32: the DC prediction, PRED of ITU-T T.81, F.1.1.5.1. */
export const previousDc = 2880;
/** f32: the cost of a bit, in squared errors of a step; f32: magnitudes below this become zero. */
export const lambda = 2884;
export const deadZone = 2888;
/** f32[16] by the magnitude category of a DC difference: bits of the code and of the additional bits. */
export const dcRates = 2892;

export const tablesEnd = 11_264;

/** AC symbols (ITU-T T.81, F.1.2.2.1): a run of sixteen zeros, and the end of a block. */
export const zrl = 240;
export const eob = 0;
