// The memory of kernels/assembly/optimal-parse.ts, bytes, beside that of layout/deflate.ts: both kernels work on one memory.
// AssemblyScript compiles this file too.

/** The most bytes that are parsed at a time. Tokens of so many, three bytes each at least, end before `treeHeads`. */
export const chunkBytes = 262_144;

/** u32[65536] by a hash of twelve bytes: the address where they stood last, the root of a tree of such addresses. */
export const treeHeads = 1_048_576;
/** u16[32768] each, by a hash of 3, 4, 5, 6, 8 and 10 bytes: the lower half of the address where they stood last. */
export const heads = 1_310_720;
export const headBytes = 65_536;

/** u32[256], u32[259] by length, u32[30] by a distance's code: the costs of each, in `costUnit`ths of a bit. */
export const byteCosts = 1_703_936;
export const lengthCosts = 1_704_960;
export const distanceCosts = 1_706_000;
export const costUnit = 64;

/** u32[chunkBytes + 1]: by place in the chunk, the cost of all from there to the end of the block. */
export const costsToEnd = 1_706_240;
/** u32[chunkBytes]: by place in the chunk, the cheapest step, 0 for a byte, else `length << lengthShift | distance - 1`. */
export const steps = 2_754_824;
/** u32[chunkBytes + 1]: by place in the chunk, the address where its matches begin. */
export const matchStarts = 3_803_400;
/** u32[]: matches, as `length << lengthShift | distance - 1`, of each place the shorter and nearer ones first. */
export const matches = 4_851_984;
export const matchesEnd = 11_143_440;
/** u32[65536]: by an address within the window, the roots of what sorts before its bytes, and after them. */
export const sons = 11_143_440;

/** Room in which the head of a block is made, and for a packed block: a byte takes no more than 14 bits. */
export const scratch = 11_405_584;
export const output = 11_407_632;

/** The bytes to be packed. After them as many as `margin` may be read. */
export const data = 11_868_480;
export const margin = 320;
