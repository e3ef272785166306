import * as at from "../../kernels/layout/deflate.ts";
import { codeLengths, codesOf } from "./huffman.ts";
import type { DeflateKernel } from "./kernel.ts";

/** Longer codes would not fit the kernel's 64 bits beside each other. */
const longestCode = 14;
const endOfBlock = 256;
/** Bytes after which the cost of a byte is measured again. */
const segmentBytes = 32_000;
/** A block of codes of its own ends with the segment in which it has so many bytes and matches. */
const blockSize = 100_000;
/** How patiently matches are looked for: findMatches says what the numbers do. */
const patience = { thorough: 6, hasty: 1 } as const;
/**
 * If matches save less than `share` of a segment, which is less than it seems, for they make bytes dearer, so many of
 * the next are gone over in haste, or not at all: that takes a half or two thirds of the time off photographs, and those
 * that were enlarged get smaller by it. If a JPEG kept its colours at half size, differences repeat from channel to
 * channel, and matches save a tenth and more.
 */
const worth = {
  inHaste: { share: 0.07, segments: 7 },
  notAtAll: { share: 0.01, urgentShare: 0.02, segments: 5 },
} as const;
/** Matches are of four bytes at least. */
const tokenBytes = (blockSize + segmentBytes / 4) * 8 + 1024;

/** The memory that a deflater needs for parts of up to `partBytes`, and where the parts go. */
export function deflaterRoom(partBytes: number) {
  const window = at.tokens + tokenBytes;
  const part = window + at.windowBytes;
  const output = part + Math.ceil(partBytes / 4) * 4 + 512;
  // A byte takes no more than 14 bits, and a match of four no more than 53.
  return { part, window, output, end: output + 2 * partBytes + 4096 };
}

type Making = {
  memory: Uint8Array;
  kernel: DeflateKernel;
  room: ReturnType<typeof deflaterRoom>;
  /** All in haste. */
  isUrgent: boolean;
};

/**
 * Packs bytes as deflate (RFC 1951) for what is left of photographs after a filter: few bytes repeat, most are near zero,
 * and a match pays only where it takes less than the bytes by themselves, which zlib does not ask. Bytes and time beside
 * zlib's: docs/formats.md.
 *
 * `pack` takes the bytes from `room.part` up to `end`, and `finish` ends the stream; what each gives the next overwrites.
 */
export function createDeflater({ memory, kernel, room, isUrgent }: Making) {
  const integers = new Uint32Array(memory.buffer);
  writeTables(memory);
  // The bytes before the first one must not match it.
  memory.fill(255, room.window, room.part);
  let packed = 0;
  let [hasty, unmatched] = [0, 0];
  return {
    pack(end: number): Uint8Array {
      const shift = packed - room.part;
      let outputEnd = room.output;
      let tokensEnd: number = at.tokens;
      let blockStart = room.part;
      integers[at.start / 4] = room.part;
      for (let from = room.part; from < end; ) {
        const segment = Math.min(from + segmentBytes, end);
        if (unmatched > 0) {
          kernel.passBytes(from, segment);
          unmatched--;
        } else {
          writeCosts(memory, from, segment);
          const isHasty = isUrgent || hasty > 0;
          tokensEnd = kernel.findMatches(
            from,
            segment,
            end,
            shift,
            tokensEnd,
            isHasty ? patience.hasty : patience.thorough,
          );
          const share = shareSaved(integers, segment - from);
          if (share < worth.notAtAll[isUrgent ? "urgentShare" : "share"]) unmatched = worth.notAtAll.segments;
          if (hasty > 0) hasty--;
          else if (share < worth.inHaste.share) hasty = worth.inHaste.segments;
        }
        from = integers[at.position / 4] as number;
        if (from < end && (integers[at.seen / 4] as number) < blockSize) continue;
        integers.set([from - (integers[at.start / 4] as number), at.endToken], tokensEnd / 4);
        outputEnd = writeHeader({ memory, integers, kernel, scratch: room.output - 512, to: outputEnd });
        outputEnd = kernel.writeTokens(at.tokens, tokensEnd + 8, blockStart, outputEnd);
        tokensEnd = at.tokens;
        blockStart = from;
        integers[at.start / 4] = from;
        integers[at.seen / 4] = 0;
      }
      packed += end - room.part;
      memory.copyWithin(room.window, end - at.windowBytes, end);
      return memory.subarray(room.output, outputEnd);
    },
    finish(): Uint8Array {
      // An empty block of fixed codes, said to be the last, and zeros up to the byte's end.
      integers.set([(10 << 24) | 0b11, 7 << 24], at.entries / 4);
      return memory.subarray(
        room.output,
        writeBytes({ memory, integers, kernel, scratch: room.output - 512, to: room.output }, [0, 1]),
      );
    },
  };
}

/** The share of a segment's bits that its matches of this length save. */
const shareSaved = (integers: Uint32Array, length: number): number =>
  (integers[at.saved / 4] as number) / (integers[at.sums / 4 + length] as number);

type Output = { memory: Uint8Array; integers: Uint32Array; kernel: DeflateKernel; scratch: number; to: number };

/** Writes what the entries say for these bytes, and tells where it ends. */
function writeBytes({ memory, integers, kernel, scratch, to }: Output, bytes: ArrayLike<number>): number {
  memory.set(bytes, scratch + 8);
  integers.set([bytes.length, 0], scratch / 4);
  return kernel.writeTokens(scratch, scratch + 8, scratch + 8, to);
}

/** Eighths of a bit that each byte takes: by how often it occurs, and no less than a bit. */
function writeCosts(memory: Uint8Array, from: number, end: number): void {
  const counts = new Uint32Array(256).fill(1);
  let total = 256;
  // One in thirteen tells, which meets all channels in turn.
  for (let i = from; i < end; i += 13, total++) {
    const byte = memory[i] as number;
    counts[byte] = (counts[byte] as number) + 1;
  }
  for (let byte = 0; byte < 256; byte++)
    memory[at.costs + byte] = Math.max(8, Math.round(8 * Math.log2(total / (counts[byte] as number))));
}

/**
 * Makes the block's codes from the counts and writes the lengths of all, four bits each. Compressing the lengths saves
 * little.
 */
function writeHeader(output: Output): number {
  const { memory, integers } = output;
  const [counts, ofDistances] = takeCounts(integers);
  const lengths = codeLengths(counts, longestCode);
  const distanceLengths = codeLengths(ofDistances, longestCode);
  const header = new Uint8Array(headerStart.length + at.byteAndLengthCodes + at.distanceCodeCount);
  header.set(headerStart);
  header.set(lengths, headerStart.length);
  header.set(distanceLengths, headerStart.length + at.byteAndLengthCodes);
  integers.set(headerEntries, at.entries / 4);
  const end = writeBytes(output, header);
  writeEntries(integers, lengths);
  integers.set(withLengths(codesOf(distanceLengths), distanceLengths), at.distanceEntries / 4);
  memory.fill(0, at.counts, at.counts + 4 * (at.byteAndLengthCodes + at.distanceCodeCount));
  memory.fill(0, at.byteCounts, at.tokens);
  return end;
}

/** How often bytes and lengths occur in the block, and distances. A code needs two symbols at least. */
function takeCounts(integers: Uint32Array): [Uint32Array, Uint32Array] {
  const counts = integers.slice(at.counts / 4, at.counts / 4 + at.byteAndLengthCodes + at.distanceCodeCount);
  for (let i = 0; i < 1024; i++)
    counts[i & 255] = (counts[i & 255] as number) + (integers[at.byteCounts / 4 + i] as number);
  counts[endOfBlock] = 1;
  for (const symbol of [at.byteAndLengthCodes, at.byteAndLengthCodes + 1])
    counts[symbol] = Math.max(1, counts[symbol] as number);
  return [counts.subarray(0, at.byteAndLengthCodes), counts.subarray(at.byteAndLengthCodes)];
}

/** An entry has a code's bits and, from bit 24 on, how many they are. */
function withLengths(codes: Uint16Array, lengths: Uint8Array): Uint32Array {
  const entries = new Uint32Array(codes.length);
  for (let i = 0; i < codes.length; i++) entries[i] = (codes[i] as number) | ((lengths[i] as number) << 24);
  return entries;
}

const headerStart = Uint8Array.of(16, 17, 18, 18, 18, 18);
/**
 * The header's symbols, packed as bytes: 0 to 15 are code lengths. Then the block's kind (not the last, codes
 * of its own, 286 and 30 of them, all 19 lengths for the codes of code lengths); and those, 9 bits for the three that
 * repeat, unused, and 12 for four times a length of 4.
 */
const headerEntries = Uint32Array.of(
  ...withLengths(codesOf(new Uint8Array(16).fill(4)), new Uint8Array(16).fill(4)),
  (17 << 24) | (2 << 1) | (29 << 3) | (29 << 8) | (15 << 13),
  9 << 24,
  (12 << 24) | 0b100_100_100_100,
);

/** By byte, the end of a block, and a match's length, which has its extra bits after its code. */
function writeEntries(integers: Uint32Array, lengths: Uint8Array): void {
  const codes = withLengths(codesOf(lengths), lengths);
  const entries = at.entries / 4;
  integers.set(codes.subarray(0, endOfBlock + 1), entries);
  for (let i = 0; i < matchLengths.length; i++) {
    const { base, extraBits, end } = matchLengths[i] as Range;
    const [entry, bits] = [codes[endOfBlock + 1 + i] as number, lengths[endOfBlock + 1 + i] as number];
    for (let length = base; length < end; length++)
      integers[entries + endOfBlock + length] = (entry | ((length - base) << bits)) + (extraBits << 24);
  }
}

type Range = { base: number; extraBits: number; end: number };

/** Ranges that follow each other, each of as many values as its extra bits can tell apart. */
function rangesFrom(first: number, extraBits: readonly number[]): Range[] {
  const ranges: Range[] = [];
  let base = first;
  for (const bits of extraBits) {
    ranges.push({ base, extraBits: bits, end: base + 2 ** bits });
    base += 2 ** bits;
  }
  return ranges;
}

/** RFC 1951, 3.2.5: the longest match has a code of its own, which takes it from the range before. */
const matchLengths: readonly Range[] = [
  ...rangesFrom(3, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]),
  { base: at.longestMatch, extraBits: 0, end: at.longestMatch + 1 },
];
/** Of distances less 1. */
const distances = rangesFrom(
  0,
  Array.from({ length: at.distanceCodeCount }, (_, i) => Math.max(0, (i >> 1) - 1)),
);

function writeTables(memory: Uint8Array): void {
  const words = new Uint16Array(memory.buffer);
  for (const [i, { base, extraBits, end }] of matchLengths.entries()) {
    memory.fill(i, at.lengthCodes + base, at.lengthCodes + end);
    memory[at.lengthExtraBits + i] = extraBits;
  }
  for (const [i, { base, extraBits, end }] of distances.entries()) {
    words[at.distanceBases / 2 + i] = base;
    memory[at.distanceExtraBits + i] = extraBits;
    if (base < 256) memory.fill(i, at.distanceCodes + base, at.distanceCodes + end);
    else memory.fill(i, at.farDistanceCodes + (base >> 7), at.farDistanceCodes + (end >> 7));
  }
}
