// The memory of kernels/assembly/jpeg-scans.ts: formats/jpeg/scans.ts fills in the codes and lays out all that comes after
// `tablesEnd`. AssemblyScript compiles this file too.

/** u32[256]: by symbol, its code << 8 | the code's length. */
export const codes = 0;
/** u32[256]: how often each symbol occurred. */
export const counts = 1024;
/** u64: how many additional bits follow the symbols. */
export const additionalBits = 2048;
/** u64 and u32: bits not yet written, and how many. */
export const pendingBits = 2056;
export const pendingCount = 2064;
/** u32: the pending EOB run; u32: how many correction bits its blocks have. */
export const eobRun = 2068;
export const eobCorrectionBits = 2072;
/** i32: the DC prediction. */
export const previousDc = 2076;
/** u8[1100]: correction bits of the EOB run, then those of the current block (ITU-T T.81, G.1.2.3). */
export const correctionBits = 2112;
export const tablesEnd = 3264;

/** The EOB run is written once it has more correction bits than this: those of one more block still fit. */
export const maximumCorrectionBits = 1000;
/** EOBn with n of 14 (ITU-T T.81, table G.1). */
export const longestEobRun = 32_767;
