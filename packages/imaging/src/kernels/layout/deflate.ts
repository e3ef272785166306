// The memory of kernels/assembly/deflate.ts, bytes: entropy/deflate.ts fills in the tables, and lays out all that comes after
// `tokens`. AssemblyScript compiles this file too.

/** u8[256]: the estimated cost of each literal, in eighths of a bit. */
export const costs = 0;
/** u8[512]: by a match's length, the number of its code less 257. */
export const lengthCodes = 256;
/** u8[512]: by a distance less 1, the number of its code; from 256 entries on by 128ths of it. */
export const distanceCodes = 768;
export const farDistanceCodes = 1024;
/** u8[32] each: how many extra bits follow a length's code, and a distance's. */
export const lengthExtraBits = 1280;
export const distanceExtraBits = 1312;
/** u16[32]: the least distance less 1 of each distance's code. */
export const distanceBases = 1344;

/** u32: the address that findMatches has reached. */
export const position = 1408;
/** u32: the address of the first byte that is in no token yet. */
export const start = 1412;
/** u32: literals and matches counted in this block. */
export const seen = 1416;
/** u32: the eighths of a bit that the segment's matches save. */
export const saved = 1420;
/** u64 and u32: bits not yet written, and how many. */
export const pendingBits = 1424;
export const pendingCount = 1432;

/** u32[316]: how often each code occurs; 286 of bytes, the end and lengths, then 30 of distances. */
export const counts = 2048;
export const byteAndLengthCodes = 286;
export const distanceCodeCount = 30;
/** u32[515]: what is written for a byte, the end, and a match of 1 to 258 bytes: its bits, and from bit 24 on how many. */
export const entries = 4096;
/** Of the end of a block; an entry of a match stands as many after it as the match is long. */
export const endEntry = 5120;
/** u32[32]: the same for the code of a distance. */
export const distanceEntries = 6656;
/** u32[32768] by a hash of eight bytes: their last position in the stream. */
export const places = 8192;
/** u32[16384]: the same by a hash of four bytes. */
export const shortPlaces = 139_264;
/** u32[32768]: the prefix sums of the costs of a segment's literals. */
export const sums = 204_800;
/** u32[256] four times: counts of each byte at every fourth place, four tables so that increments do not wait for each other. */
export const byteCounts = 335_872;
export const byteCountsBytes = 1024;
/** Pairs of u32: the number of literals; then a match, `length << lengthShift | distance - 1`, `endToken`, or 0. */
export const tokens = 339_968;
export const lengthShift = 15;
export const endToken = 1;

/** How far back a match may look (RFC 1951). */
export const windowBytes = 32_768;
export const longestMatch = 258;
