// The memory layout of kernels/assembly/jpeg-scans.ts. formats/jpeg/scans.ts fills in the codes and lays out everything
// after `tablesEnd`. AssemblyScript compiles this file too.

/** u32[256]: by symbol, its code << 8 | the code's length. */
export const codes = 0;
/** u32[256]: the count of each symbol. */
export const counts = 1024;
/** u64: the number of additional bits. */
export const additionalBits = 2048;
/** u64 and u32: the pending bits, and their number. */
export const pendingBits = 2056;
export const pendingCount = 2064;
/** u32: the pending EOB run; u32: the number of its correction bits. */
export const eobRun = 2068;
export const eobCorrectionBits = 2072;
/** i32: the DC prediction. */
export const previousDc = 2076;
/** u8[1100]: correction bits of the EOB run, then those of the current block (ITU-T T.81, G.1.2.3). */
export const correctionBits = 2112;
export const tablesEnd = 3264;

/** The EOB run is written once it has more correction bits than this: those of another block still fit. */
export const maximumCorrectionBits = 1000;
/** EOBn with n of 14 (ITU-T T.81, table G.1). */
export const longestEobRun = 32_767;
