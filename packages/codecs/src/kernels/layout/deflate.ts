// The memory layout of kernels/assembly/deflate.ts, in bytes. entropy/deflate.ts fills in the tables, and lays out
// everything after `tokens`. AssemblyScript compiles this file too.

/** u8[256]: the estimated cost of each literal, in eighths of a bit. */
export const costs = 0;
/** u8[512]: by match length, its length code - 257. */
export const lengthCodes = 256;
/** u8[512]: by distance - 1, its distance code; from entry 256 on by (distance - 1) / 128. */
export const distanceCodes = 768;
export const farDistanceCodes = 1024;
/** u8[32] each: the number of extra bits of each length code and of each distance code. */
export const lengthExtraBits = 1280;
export const distanceExtraBits = 1312;
/** u16[32]: the smallest distance - 1 of each distance code. */
export const distanceBases = 1344;

/** u32: the address that findMatches has reached. */
export const position = 1408;
/** u32: the address of the first byte that is not in a token yet. */
export const start = 1412;
/** u32: literals and matches counted in this block. */
export const seen = 1416;
/** u32: the saving of the segment's matches, in eighths of a bit. */
export const saved = 1420;
/** u64 and u32: the pending bits, and their number. */
export const pendingBits = 1424;
export const pendingCount = 1432;

/** u32[316]: the count of each code: 286 for literals, end-of-block and lengths, then 30 for distances. */
export const counts = 2048;
export const byteAndLengthCodes = 286;
export const distanceCodeCount = 30;
/** u32[515]: the code of each literal, of end-of-block, and of each match length of 1 to 258; from bit 24 on its length. */
export const entries = 4096;
/** The entry of end-of-block; the entry of a match length follows it at an index equal to the length. */
export const endEntry = 5120;
/** u32[32]: the same for distance codes. */
export const distanceEntries = 6656;
/** u32[32768], by a hash of eight bytes: their latest position in the stream. */
export const places = 8192;
/** u32[16384]: the same by a hash of four bytes. */
export const shortPlaces = 139_264;
/** u32[32768]: the prefix sums of the costs of a segment's literals. */
export const sums = 204_800;
/** u32[256] four times: byte counts by position modulo 4, so that increments do not depend on each other. */
export const byteCounts = 335_872;
export const byteCountsBytes = 1024;
/** Pairs of u32: the number of literals; then a match, `length << lengthShift | distance - 1`, `endToken`, or 0. */
export const tokens = 339_968;
export const lengthShift = 15;
export const endToken = 1;

/** The window size: the largest distance of a match (RFC 1951). */
export const windowBytes = 32_768;
export const longestMatch = 258;
