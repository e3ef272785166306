// The inner loops of entropy/optimal-deflate.ts: all matches of a chunk, and the cheapest parse of it. Addresses and
// lengths are bytes.
import {
  byteAndLengthCodes,
  counts,
  distanceCodes,
  farDistanceCodes,
  lengthCodes,
  lengthShift,
  longestMatch,
  windowBytes,
} from "../layout/deflate";
import {
  byteCosts,
  costsToEnd,
  distanceCosts,
  headBytes,
  heads,
  lengthCosts,
  matches,
  matchesEnd,
  matchStarts,
  sons,
  steps,
  treeHeads,
} from "../layout/optimal-parse";

/** The lower bits of a match: its distance - 1. */
const distanceMask: u32 = (1 << lengthShift) - 1;

/** The length of the common prefix of the bytes at `a` and at `b`, at most `most`; `known` bytes are known to match. */
function countAlike(a: usize, b: usize, known: u32, most: u32): u32 {
  let length = known;
  while (length < most) {
    const differing = load<u64>(a + length) ^ load<u64>(b + length);
    if (differing !== 0) {
      length += <u32>(ctz(differing) >>> 3);
      break;
    }
    length += 8;
  }
  return length < most ? length : most;
}

const mixer: u64 = 0x9e3779b97f4a7c15;

/** The entry for these bytes in one of the six hash tables of `heads`. */
function headOf(table: usize, bytes: u64): usize {
  return <usize>heads + table * headBytes + ((<usize>((bytes * mixer) >>> 49)) << 1);
}

/**
 * Replaces a hash table entry by `at`, and writes the match with the old position to `to`. Returns its length, or 0 if
 * the position is outside the window or before `first`. The match may be shorter than the hashed bytes.
 */
function takeHead(head: usize, at: usize, first: usize, to: usize, most: u32): u32 {
  const distance = (<u32>at - load<u16>(head)) & 0xffff;
  store<u16>(head, <u16>at);
  if (distance - 1 >= <u32>windowBytes || distance > <u32>(at - first)) return 0;
  const alike = countAlike(at, at - distance, 0, most);
  store<u32>(to, (alike << lengthShift) | (distance - 1));
  return alike;
}

/** Inserts `at` into all six hash tables. */
function rememberHeads(at: usize): void {
  const bytes = load<u64>(at);
  store<u16>(headOf(0, bytes << 40), <u16>at);
  store<u16>(headOf(1, bytes << 32), <u16>at);
  store<u16>(headOf(2, bytes << 24), <u16>at);
  store<u16>(headOf(3, bytes << 16), <u16>at);
  store<u16>(headOf(4, bytes), <u16>at);
  store<u16>(headOf(5, (bytes * mixer) ^ load<u64>(at + 2)), <u16>at);
}

/**
 * Writes to `to` the match with the latest position in each hash table, if it is longer than the nearer ones. Returns
 * the end of the matches.
 */
function takeHeads(at: usize, first: usize, to: usize, most: u32): usize {
  const bytes = load<u64>(at);
  let longest: u32 = 2;
  let alike: u32 = takeHead(headOf(0, bytes << 40), at, first, to, most);
  if (alike > longest) {
    longest = alike;
    to += 4;
  }
  let head = headOf(1, bytes << 32);
  if (longest < 4) {
    alike = takeHead(head, at, first, to, most);
    if (alike > longest) {
      longest = alike;
      to += 4;
    }
  } else store<u16>(head, <u16>at);
  head = headOf(2, bytes << 24);
  if (longest < 5) {
    alike = takeHead(head, at, first, to, most);
    if (alike > longest) {
      longest = alike;
      to += 4;
    }
  } else store<u16>(head, <u16>at);
  head = headOf(3, bytes << 16);
  if (longest < 6) {
    alike = takeHead(head, at, first, to, most);
    if (alike > longest) {
      longest = alike;
      to += 4;
    }
  } else store<u16>(head, <u16>at);
  head = headOf(4, bytes);
  if (longest < 8) {
    alike = takeHead(head, at, first, to, most);
    if (alike > longest) {
      longest = alike;
      to += 4;
    }
  } else store<u16>(head, <u16>at);
  head = headOf(5, (bytes * mixer) ^ load<u64>(at + 2));
  if (longest < 10) {
    alike = takeHead(head, at, first, to, most);
    if (alike > longest) {
      longest = alike;
      to += 4;
    }
  } else store<u16>(head, <u16>at);
  return to;
}

/**
 * Makes `at` the root of the binary tree of its twelve bytes, and writes to `to` each match that is longer than
 * `longest` and than all nearer ones. Returns the end of the matches. Trees are ordered by the bytes that follow, and
 * no child is nearer than its parent. The search visits at most `depth` nodes.
 */
function growTree(at: usize, to: usize, most: u32, depth: u32, longest: u32): usize {
  const bytes = ((load<u64>(at) * mixer) ^ load<u64>(at + 4)) * mixer;
  const head = <usize>treeHeads + ((<usize>(bytes >>> 48)) << 2);
  let place = load<u32>(head);
  store<u32>(head, <u32>at);
  let before = <usize>sons + ((at & (windowBytes - 1)) << 3);
  let after = before + 4;
  let alikeBefore: u32 = 0;
  let alikeAfter: u32 = 0;
  // A position one window back shares its node with `at`.
  while (<u32>at - place < <u32>windowBytes && depth > 0) {
    depth--;
    const ownSons = <usize>sons + ((<usize>place & (windowBytes - 1)) << 3);
    const known = alikeBefore < alikeAfter ? alikeBefore : alikeAfter;
    const alike = countAlike(at, place, known, most);
    if (alike > longest) {
      longest = alike;
      store<u32>(to, (alike << lengthShift) | (<u32>at - place - 1));
      to += 4;
    }
    if (alike >= most) {
      store<u32>(before, load<u32>(ownSons));
      store<u32>(after, load<u32>(ownSons, 4));
      return to;
    }
    if (load<u8>(place + alike) < load<u8>(at + alike)) {
      store<u32>(before, place);
      before = ownSons + 4;
      alikeBefore = alike;
      place = load<u32>(before);
    } else {
      store<u32>(after, place);
      after = ownSons;
      alikeAfter = alike;
      place = load<u32>(after);
    }
  }
  store<u32>(before, 0);
  store<u32>(after, 0);
  return to;
}

/**
 * Writes the matches from `at` to `end` again, for the next byte and one shorter, if they are longer than the one
 * before `to`.
 */
function continueMatches(at: usize, end: usize, to: usize): usize {
  let longest: u32 = end < to ? load<u32>(to - 4) >>> lengthShift : 2;
  for (; at < end; at += 4) {
    const match = load<u32>(at);
    const length = (match >>> lengthShift) - 1;
    if (length <= longest) continue;
    longest = length;
    store<u32>(to, match - (1 << lengthShift));
    to += 4;
  }
  return to;
}

/** The trees are for matches of at least twelve bytes. */
const treeBytes: u32 = 12;

/**
 * Finds the matches at each position from `chunk` up to `end`, or until the memory for matches is full. Returns the
 * position that it reached. Positions inside a match of the maximum length have none, because that match is taken. The
 * bytes start at `first` and end at `last`, in rows of `rowBytes`: one byte, then pixels of `pixelBytes`. The trees
 * contain the positions at which pixels start; between them, the previous matches are continued. With a `pixelBytes` of
 * 1 they contain every position.
 */
export function findMatches(
  chunk: usize,
  end: usize,
  first: usize,
  last: usize,
  depth: u32,
  pixelBytes: usize,
  rowBytes: usize,
): usize {
  const room: usize = matchesEnd - 1040;
  let to: usize = matches;
  let start: usize = matchStarts;
  let old = to;
  let taken: usize = chunk;
  let rowEnd = first + ((chunk - first) / rowBytes + 1) * rowBytes;
  let pixel = rowEnd - rowBytes + 1;
  while (pixel < chunk) pixel += pixelBytes;
  if (pixelBytes === 1) pixel = chunk;
  let at = chunk;
  store<u32>(start, <u32>to);
  while (at < end && to < room) {
    let most = <u32>(last - at);
    if (most > <u32>longestMatch) most = longestMatch;
    const isPixel = at === pixel;
    if (isPixel) {
      pixel += pixelBytes;
      if (pixelBytes > 1 && pixel >= rowEnd) {
        pixel = rowEnd + 1;
        rowEnd += rowBytes;
      }
    }
    const from = to;
    if (most < treeBytes || at < taken) {
      rememberHeads(at);
      if (isPixel && most >= treeBytes) growTree(at, to, most, depth, longestMatch);
    } else {
      to = takeHeads(at, first, to, most);
      if (isPixel) to = growTree(at, to, most, depth, from < to ? load<u32>(to - 4) >>> lengthShift : 2);
      else to = continueMatches(old, from, to);
      if (from < to && load<u32>(to - 4) >>> lengthShift === longestMatch) taken = at + longestMatch;
    }
    old = from;
    at++;
    start += 4;
    store<u32>(start, <u32>to);
  }
  return at;
}

/** The distance code, by distance - 1. */
function distanceCode(distance: u32): u32 {
  return distance < 256 ? load<u8>(distance, distanceCodes) : load<u8>(distance >>> 7, farDistanceCodes);
}

/** Chooses the cheapest step at each position of a block, from the end backwards. `chunk` is the start of the chunk. */
export function chooseSteps(chunk: usize, from: usize, to: usize): void {
  let at = to;
  let cost: u32 = 0;
  let place: usize = (to - chunk) << 2;
  store<u32>(place, 0, costsToEnd);
  while (at > from) {
    at--;
    place -= 4;
    cost += load<u32>((<usize>load<u8>(at)) << 2, byteCosts);
    let step: u32 = 0;
    let match: usize = load<u32>(place, matchStarts);
    const end: usize = load<u32>(place, matchStarts + 4);
    if (match < end) {
      const most = <u32>(to - at);
      let length: u32 = 3;
      do {
        const found = load<u32>(match);
        const distance = found & distanceMask;
        let longest = found >>> lengthShift;
        if (longest > most) longest = most;
        const distanceCost = load<u32>(distanceCode(distance) << 2, distanceCosts);
        const costs = place + costsToEnd;
        if (longest >= length + 8) {
          const base = i32x4.splat(distanceCost);
          let least = i32x4.splat(i32.MAX_VALUE);
          let lengths = i32x4.splat(0);
          let these = i32x4.add(i32x4.splat(length), i32x4(0, 1, 2, 3));
          for (; length + 3 <= longest; length += 4) {
            const wholes = i32x4.add(
              i32x4.add(base, v128.load(<usize>lengthCosts + (length << 2))),
              v128.load(costs + (length << 2)),
            );
            const isLess = i32x4.lt_s(wholes, least);
            least = v128.bitselect(wholes, least, isLess);
            lengths = v128.bitselect(these, lengths, isLess);
            these = i32x4.add(these, i32x4.splat(4));
          }
          let whole = <u32>i32x4.extract_lane(least, 0);
          let best = <u32>i32x4.extract_lane(lengths, 0);
          let isLess = <u32>i32x4.extract_lane(least, 1) < whole;
          whole = select<u32>(<u32>i32x4.extract_lane(least, 1), whole, isLess);
          best = select<u32>(<u32>i32x4.extract_lane(lengths, 1), best, isLess);
          isLess = <u32>i32x4.extract_lane(least, 2) < whole;
          whole = select<u32>(<u32>i32x4.extract_lane(least, 2), whole, isLess);
          best = select<u32>(<u32>i32x4.extract_lane(lengths, 2), best, isLess);
          isLess = <u32>i32x4.extract_lane(least, 3) < whole;
          whole = select<u32>(<u32>i32x4.extract_lane(least, 3), whole, isLess);
          best = select<u32>(<u32>i32x4.extract_lane(lengths, 3), best, isLess);
          isLess = whole < cost;
          cost = select<u32>(whole, cost, isLess);
          step = select<u32>((best << lengthShift) | distance, step, isLess);
        }
        for (; length <= longest; length++) {
          const whole = distanceCost + load<u32>(length << 2, lengthCosts) + load<u32>(costs + (length << 2));
          const isLess = whole < cost;
          cost = select<u32>(whole, cost, isLess);
          step = select<u32>((length << lengthShift) | distance, step, isLess);
        }
        match += 4;
      } while (match < end);
    }
    store<u32>(place, cost, costsToEnd);
    store<u32>(place, step, steps);
  }
}

function count(code: u32): void {
  store<u32>(code << 2, load<u32>(code << 2, counts) + 1, counts);
}

/** Counts the codes of the chosen steps, from `at` up to the first step that ends at or after `to`. Returns that end. */
export function countSteps(chunk: usize, at: usize, to: usize): usize {
  while (at < to) {
    const step = load<u32>((at - chunk) << 2, steps);
    if (step) {
      const length = step >>> lengthShift;
      count(257 + load<u8>(length, lengthCodes));
      count(byteAndLengthCodes + distanceCode(step & distanceMask));
      at += length;
    } else {
      count(load<u8>(at));
      at++;
    }
  }
  return at;
}

/** Writes the chosen steps as tokens for writeTokens of kernels/assembly/deflate.ts. Returns their end. */
export function writeSteps(chunk: usize, at: usize, to: usize, tokens: usize): usize {
  let first = at;
  while (at < to) {
    const step = load<u32>((at - chunk) << 2, steps);
    if (step) {
      store<u32>(tokens, <u32>(at - first));
      store<u32>(tokens, step, 4);
      tokens += 8;
      at += step >>> lengthShift;
      first = at;
    } else at++;
  }
  store<u32>(tokens, <u32>(at - first));
  return tokens;
}
