// The memory layout of kernels/assembly/optimal-parse.ts, in bytes. It shares its memory with layout/deflate.ts.
// AssemblyScript compiles this file too.

/** The most bytes parsed at a time. Their tokens, of at least three bytes each, end before `treeHeads`. */
export const chunkBytes = 262_144;

/** u32[65536], by a hash of twelve bytes: their latest address, the root of a binary tree of addresses. */
export const treeHeads = 1_048_576;
/** u16[32768] each, by a hash of 3, 4, 5, 6, 8 and 10 bytes: the lower half of their latest address. */
export const heads = 1_310_720;
export const headBytes = 65_536;

/** u32[256] by byte, u32[259] by length, u32[30] by distance code: the costs, in units of 1 / `costUnit` bit. */
export const byteCosts = 1_703_936;
export const lengthCosts = 1_704_960;
export const distanceCosts = 1_706_000;
export const costUnit = 64;

/** u32[chunkBytes + 1], by position in the chunk: the cost from there to the end of the block. */
export const costsToEnd = 1_706_240;
/** u32[chunkBytes], by position in the chunk: the cheapest step, 0 for a literal, else `length << lengthShift | distance - 1`. */
export const steps = 2_754_824;
/** u32[chunkBytes + 1], by position in the chunk: the address of its first match. */
export const matchStarts = 3_803_400;
/** u32[]: matches, as `length << lengthShift | distance - 1`; at each position the shorter and nearer ones come first. */
export const matches = 4_851_984;
export const matchesEnd = 11_143_440;
/** u32[65536], by address modulo the window: the roots of the subtrees that sort before and after its bytes. */
export const sons = 11_143_440;

/** Memory for making a block header, and for a packed block, in which a byte takes at most 14 bits. */
export const scratch = 11_405_584;
export const output = 11_407_632;

/** The bytes to compress. Up to `margin` bytes after them may be read. */
export const data = 11_868_480;
export const margin = 320;
