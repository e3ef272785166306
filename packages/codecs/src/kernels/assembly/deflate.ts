// The inner loops of entropy/deflate.ts (RFC 1951). Addresses and lengths are bytes.
import {
  byteAndLengthCodes,
  byteCounts,
  byteCountsBytes,
  costs,
  counts,
  distanceBases,
  distanceCodes,
  distanceEntries,
  distanceExtraBits,
  endEntry,
  entries,
  farDistanceCodes,
  lengthCodes,
  lengthExtraBits,
  lengthShift,
  longestMatch,
  pendingBits,
  pendingCount,
  places,
  position,
  saved,
  seen,
  shortPlaces,
  start,
  sums,
  windowBytes,
} from "../layout/deflate";

function hash(bytes: u64): usize {
  return <usize>places + (<usize>((bytes * 0x9e3779b97f4a7c15) >>> 47) & 0x1fffc);
}

function shortHash(bytes: u32): usize {
  return <usize>shortPlaces + (((bytes * 0x9e3779b1) >>> 16) & 0xfffc);
}

/** The length of the common prefix of the bytes at `a` and at `b`, at most `most`. */
function countAlike(a: usize, b: usize, most: u32): u32 {
  let length: u32 = 0;
  do {
    const differing = load<u64>(a + length) ^ load<u64>(b + length);
    if (differing !== 0) {
      length += <u32>(ctz(differing) >>> 3);
      break;
    }
    length += 8;
  } while (length < most);
  return length < most ? length : most;
}

/**
 * The cost of a match at this distance, in eighths of a bit, without the extra bits of its length: about 7 bits for the
 * length code, 4 for the distance code (1 for a distance up to 4), and the extra bits of the distance.
 */
function matchCost(distance: u32): i32 {
  return select<i32>(64, 328 - ((<i32>clz(distance - 1)) << 3), distance <= 4);
}

/** The cost of `length` bytes from `at` on as literals. `base` plus four times an address is its place in the prefix sums. */
function bytesCost(base: usize, at: usize, length: u32): i32 {
  const from = base + (at << 2);
  return load<i32>(from + (length << 2)) - load<i32>(from);
}

/** Writes the prefix sums of the literal costs, from `at` to the end of the longest match after `segment`. */
function sumCosts(at: usize, segment: usize): void {
  const end = segment + 264;
  let to: usize = sums;
  let sum: u32 = 0;
  do {
    const bytes = load<u32>(at);
    store<u32>(to, sum);
    sum += load<u8>(bytes & 255, costs);
    store<u32>(to, sum, 4);
    sum += load<u8>((bytes >>> 8) & 255, costs);
    store<u32>(to, sum, 8);
    sum += load<u8>((bytes >>> 16) & 255, costs);
    store<u32>(to, sum, 12);
    sum += load<u8>(bytes >>> 24, costs);
    to += 16;
    at += 4;
  } while (at < end);
}

/**
 * Replaces the position in an entry by `place`. Returns the distance to the old one, or 1 if that is outside the
 * window: the bytes are compared anyway.
 */
function takePlace(place: u32, entry: usize): u32 {
  const distance = place - load<u32>(entry);
  store<u32>(entry, place);
  return select<u32>(distance, 1, distance - 1 < <u32>windowBytes);
}

function count(code: u32): void {
  store<u32>(code << 2, load<u32>(code << 2, counts) + 1, counts);
}

/** Counts the bytes from `at` to `end` as literals. */
function countBytes(at: usize, end: usize): void {
  for (; at + 4 <= end; at += 4) {
    const bytes = load<u32>(at);
    let place: usize = (bytes << 2) & 1020;
    store<u32>(place, load<u32>(place, byteCounts) + 1, byteCounts);
    place = (bytes >>> 6) & 1020;
    store<u32>(place, load<u32>(place, byteCounts + byteCountsBytes) + 1, byteCounts + byteCountsBytes);
    place = (bytes >>> 14) & 1020;
    store<u32>(place, load<u32>(place, byteCounts + 2 * byteCountsBytes) + 1, byteCounts + 2 * byteCountsBytes);
    place = (bytes >>> 22) & 1020;
    store<u32>(place, load<u32>(place, byteCounts + 3 * byteCountsBytes) + 1, byteCounts + 3 * byteCountsBytes);
  }
  for (; at < end; at++) count(load<u8>(at));
}

/** The distance code, by distance - 1. */
function distanceCode(distance: u32): u32 {
  return distance < 256 ? load<u8>(distance, distanceCodes) : load<u8>(distance >>> 7, farDistanceCodes);
}

/** Inserts the positions from `from` to `to` into both hash tables. */
function remember(from: usize, to: usize, shift: u32): void {
  for (; from < to; from++) {
    store<u32>(hash(load<u64>(from)), <u32>from + shift);
    store<u32>(shortHash(load<u32>(from)), <u32>from + shift);
  }
}

/**
 * Writes the tokens of the bytes from `at` to `segment` to `tokens`, and returns their end. The last match may extend
 * beyond `segment`, up to `end`; bytes after it are in no token yet. After 2 ** `searchDepth` consecutive misses it
 * searches only at every second byte, then at every third, and so on; after eight times as many, it no longer searches
 * for four bytes. `shift` converts an address into a position in the stream.
 */
export function findMatches(at: usize, segment: usize, end: usize, shift: u32, tokens: usize, searchDepth: u32): usize {
  let tokenStart: usize = load<u32>(start);
  let uncounted = at;
  let seenNow = load<u32>(seen);
  let savedNow: i32 = 0;
  let missed: u32 = 0;
  let distance: u32 = 0;
  sumCosts(at, segment);
  const base = <usize>sums - (at << 2);
  do {
    let length: u32 = 0;
    const bytes = load<u64>(at);
    const place = <u32>at + shift;
    let most = <u32>(end - at);
    most = select<u32>(most, longestMatch, most < <u32>longestMatch);
    // A run of one byte.
    if (<u32>bytes === load<u32>(at - 1)) {
      length = countAlike(at - 1, at, most);
      distance = 1;
    }
    if (length < 32) {
      let found = takePlace(place, hash(bytes));
      let before = at - found;
      // If eight bytes are cheap as literals, a match of them is extended only if four more bytes match. One branch for
      // all conditions: on noise each is random, and a misprediction costs more than the tests.
      if (
        <i32>(load<u64>(before) === bytes) &
        (<i32>(bytesCost(base, at, 9) > matchCost(found)) | <i32>(load<u32>(before, 8) === load<u32>(at, 8)))
      ) {
        const alike = countAlike(before, at, most);
        if (alike > length) {
          length = alike;
          distance = found;
        }
      }
      // Then four bytes; on noise that finds nothing.
      if (<i32>(length < 8) & <i32>(missed < (<u32>8) << searchDepth)) {
        found = takePlace(place, shortHash(<u32>bytes));
        before = at - found;
        if (<i32>(load<u32>(before) === <u32>bytes) & <i32>(bytesCost(base, at, 6) > matchCost(found))) {
          const alike = countAlike(before, at, most);
          if (alike > length) {
            length = alike;
            distance = found;
          }
        }
      }
    }
    length = select<u32>(length, 0, length >= 4);
    if (length) {
      const gain =
        bytesCost(base, at, length) -
        (matchCost(distance) + ((<i32>load<u8>(load<u8>(length, lengthCodes), lengthExtraBits)) << 3));
      if (gain <= 0) length = 0;
      else savedNow += gain;
    }
    if (length) {
      store<u32>(tokens, <u32>(at - tokenStart));
      store<u32>(tokens, (length << lengthShift) | (distance - 1), 4);
      tokens += 8;
      countBytes(uncounted, at);
      seenNow += 1 + <u32>(at - uncounted);
      count(257 + load<u8>(length, lengthCodes));
      count(byteAndLengthCodes + distanceCode(distance - 1));
      // Only the start and the end of a match are inserted: inserting all of it finds no more.
      const after = at + length;
      if (length <= 16) remember(at + 1, after, shift);
      else {
        remember(at + 1, at + 8, shift);
        remember(after - 8, after, shift);
      }
      at = after;
      tokenStart = after;
      uncounted = after;
      missed = 0;
    } else {
      missed++;
      at += 1 + (missed >>> searchDepth);
    }
  } while (at < segment);
  // Only a match can extend beyond the segment.
  if (at !== tokenStart) at = segment;
  countBytes(uncounted, at);
  store<u32>(position, <u32>at);
  store<u32>(start, <u32>tokenStart);
  store<i32>(saved, savedNow);
  store<u32>(seen, seenNow + <u32>(at - uncounted));
  return tokens;
}

/** Emits the bytes from `at` to `end` as literals: no match search, no entry in the hash table. */
export function passBytes(at: usize, end: usize): void {
  countBytes(at, end);
  store<u32>(position, <u32>end);
  store<u32>(seen, load<u32>(seen) + <u32>(end - at));
}

/** The code of an entry. Its length is stored from bit 24 on. */
function bitsOf(entry: u32): u64 {
  return entry & 0xffffff;
}

/**
 * Writes the codes of the tokens from `at` to `end` to `to`, and returns the end of the output. `from` is the address
 * of the bytes that the tokens represent. The bits of an incomplete byte stay pending.
 */
export function writeTokens(at: usize, end: usize, from: usize, to: usize): usize {
  let bits = load<u64>(pendingBits);
  let size: u64 = load<u32>(pendingCount);
  do {
    const stop = from + load<u32>(at);
    const token = load<u32>(at, 4);
    for (; from + 4 <= stop; from += 4) {
      let entry = load<u32>((<usize>load<u8>(from)) << 2, entries);
      bits |= bitsOf(entry) << size;
      size += entry >>> 24;
      entry = load<u32>((<usize>load<u8>(from, 1)) << 2, entries);
      bits |= bitsOf(entry) << size;
      size += entry >>> 24;
      entry = load<u32>((<usize>load<u8>(from, 2)) << 2, entries);
      bits |= bitsOf(entry) << size;
      size += entry >>> 24;
      entry = load<u32>((<usize>load<u8>(from, 3)) << 2, entries);
      bits |= bitsOf(entry) << size;
      size += entry >>> 24;
      store<u64>(to, bits);
      to += <usize>(size >>> 3);
      bits >>>= size & 56;
      size &= 7;
    }
    for (; from < stop; from++) {
      const entry = load<u32>((<usize>load<u8>(from)) << 2, entries);
      bits |= bitsOf(entry) << size;
      size += entry >>> 24;
      store<u64>(to, bits);
      to += <usize>(size >>> 3);
      bits >>>= size & 56;
      size &= 7;
    }
    if (token) {
      const length = token >>> lengthShift;
      let entry = load<u32>(length << 2, endEntry);
      bits |= bitsOf(entry) << size;
      size += entry >>> 24;
      from += length;
      if (length) {
        const distance = token & (windowBytes - 1);
        const code = distanceCode(distance);
        entry = load<u32>(code << 2, distanceEntries);
        bits |= bitsOf(entry) << size;
        size += entry >>> 24;
        bits |= (<u64>(distance - load<u16>(code << 1, distanceBases))) << size;
        size += load<u8>(code, distanceExtraBits);
      }
      store<u64>(to, bits);
      to += <usize>(size >>> 3);
      bits >>>= size & 56;
      size &= 7;
    }
    at += 8;
  } while (at < end);
  store<u64>(pendingBits, bits);
  store<u32>(pendingCount, <u32>size);
  return to;
}

const vectorBytes: usize = 16;
/** The most bytes before the 32-bit sums must be reduced (RFC 1950, 9). */
const partBytes: usize = 5552;
const modulus: u32 = 65521;

/** Continues Adler-32 (RFC 1950) from `sum` over the bytes from `at` to `end`. */
export function adler32(sum: u32, at: usize, end: usize): u32 {
  let low = sum & 65535;
  let high = sum >>> 16;
  do {
    let stop = at + partBytes;
    if (stop > end) stop = end;
    high += low * <u32>((stop - at) & -16);
    let plain = i32x4.splat(0);
    let weighted = plain;
    let before = plain;
    for (; at + vectorBytes <= stop; at += vectorBytes) {
      const bytes = v128.load(at);
      before = i32x4.add(before, plain);
      plain = i32x4.add(plain, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighted = i32x4.add(
        weighted,
        i32x4.add(
          i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), i16x8(16, 15, 14, 13, 12, 11, 10, 9)),
          i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), i16x8(8, 7, 6, 5, 4, 3, 2, 1)),
        ),
      );
    }
    low += total(plain);
    high += total(weighted) + (total(before) << 4);
    for (; at < stop; at++) {
      low += load<u8>(at);
      high += low;
    }
    low %= modulus;
    high %= modulus;
  } while (at < end);
  return (high << 16) | low;
}

function total(sums: v128): u32 {
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    (i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3))
  );
}
