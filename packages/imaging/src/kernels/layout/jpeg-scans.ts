// The memory of kernels/assembly/jpeg-scans.ts: formats/jpeg/scans.ts fills in the codes and lays out all that comes after
// `tablesEnd`. AssemblyScript compiles this file too.

/** u32[256]: by symbol, its code << 8 | the code's length. */
export const codes = 0;
/** u32[256]: how often each symbol occurred. */
export const counts = 1024;
/** u64: bits behind the symbols. */
export const extraBits = 2048;
/** u64 and u32: bits not yet written, and how many. */
export const pendingBits = 2056;
export const pendingCount = 2064;
/** u32: blocks that end, not yet written; u32: bits that correct values in them. */
export const endRun = 2068;
export const endCorrections = 2072;
/** i32: the mean of the block before. */
export const mean = 2076;
/** u8[1100]: correcting bits of the blocks that end, then those of a block. */
export const corrections = 2112;
export const tablesEnd = 3264;

/** More correcting bits than this are not kept: 64 more fit. */
export const mostCorrections = 1000;
export const longestEndRun = 32_767;
