import code from "../kernels/build/deflate.wasm.js";
import * as at from "../kernels/layout/deflate.ts";
import { loadKernel } from "../kernels/load-kernel.ts";
import { codeLengths, codesOf } from "./huffman.ts";

/** The functions of kernels/assembly/deflate.ts. Addresses and lengths are bytes. */
export type DeflateKernel = {
  findMatches(at: number, segment: number, end: number, shift: number, tokens: number, searchDepth: number): number;
  passBytes(at: number, end: number): void;
  writeTokens(at: number, end: number, from: number, to: number): number;
  adler32(sum: number, at: number, end: number): number;
};

export const startDeflate = loadKernel<DeflateKernel>(code);

/** Longer codes would overflow the kernel's 64-bit buffer. */
const longestCode = 14;
const endOfBlock = 256;

/** `scratch` is the address of 512 bytes that the header overwrites. */
export type BlockOutput = {
  memory: Uint8Array;
  integers: Uint32Array;
  kernel: DeflateKernel;
  scratch: number;
  to: number;
};

/** Writes the codes of these bytes. @returns the end of the output */
export function writeBytes({ memory, integers, kernel, scratch, to }: BlockOutput, bytes: ArrayLike<number>): number {
  memory.set(bytes, scratch + 8);
  integers.set([bytes.length, 0], scratch / 4);
  return kernel.writeTokens(scratch, scratch + 8, scratch + 8, to);
}

/**
 * Writes the header of a block with dynamic Huffman codes for these counts (RFC 1951, 3.2.7), and fills the table from
 * which the kernel writes its tokens.
 * @returns the end of the header
 */
export function writeBlockHead(output: BlockOutput, counts: Uint32Array): number {
  const { integers } = output;
  const [bytesAndLengths, ofDistances] = twoOfEach(counts);
  const lengths = codeLengths(bytesAndLengths, longestCode);
  const distanceLengths = codeLengths(ofDistances, longestCode);
  const used = (all: Uint8Array) => all.subarray(0, all.findLastIndex((length) => length > 0) + 1);
  const [all, ofAllDistances] = [used(lengths), used(distanceLengths)];
  const end = writeBytes(output, headBytes(integers, all, ofAllDistances));
  writeEntries(integers, lengths);
  integers.set(withLengths(codesOf(distanceLengths), distanceLengths), at.distanceEntries / 4);
  return end;
}

/** The order of the code lengths for the code length alphabet (RFC 1951, 3.2.7). */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;
/** Run symbols of the code length alphabet: their shortest and longest run, and their extra bits. */
const repeats = {
  same: { symbol: 16, min: 3, max: 6, extraBits: 2 },
  zeros: { symbol: 17, min: 3, max: 10, extraBits: 3 },
  manyZeros: { symbol: 18, min: 11, max: 138, extraBits: 7 },
} as const;

/** The header as bytes: each is an index into the table of entries, whose code is written. */
function headBytes(integers: Uint32Array, lengths: Uint8Array, distanceLengths: Uint8Array): Uint8Array {
  const symbols = runsOf(Uint8Array.of(...lengths, ...distanceLengths));
  const counts = new Uint32Array(19);
  for (const { symbol } of symbols) counts[symbol] = (counts[symbol] as number) + 1;
  for (const symbol of [0, 18]) counts[symbol] = Math.max(1, counts[symbol] as number);
  const ofLengths = codeLengths(counts, 7);
  const codes = withLengths(codesOf(ofLengths), ofLengths);
  const written = lengthOrder.length - [...lengthOrder].reverse().findIndex((symbol) => ofLengths[symbol]);
  const kind = (2 << 1) | ((lengths.length - 257) << 3) | ((distanceLengths.length - 1) << 8) | ((written - 4) << 13);
  const entries = [
    (17 << 24) | kind,
    ...lengthOrder.slice(0, written).map((symbol) => (3 << 24) | (ofLengths[symbol] as number)),
    ...symbols.map(({ symbol, extra, extraBits }) => {
      const code = codes[symbol] as number;
      return (code | (extra << (ofLengths[symbol] as number))) + (extraBits << 24);
    }),
  ];
  const distinct = [...new Set(entries)];
  integers.set(distinct, at.entries / 4);
  const numbers = new Map(distinct.map((entry, number) => [entry, number]));
  return Uint8Array.from(entries, (entry) => numbers.get(entry) ?? 0);
}

type LengthSymbol = { symbol: number; extra: number; extraBits: number };

/** Run-length encodes code lengths with the code length alphabet. */
function runsOf(lengths: Uint8Array): LengthSymbol[] {
  const symbols: LengthSymbol[] = [];
  for (let i = 0; i < lengths.length; ) {
    const length = lengths[i] as number;
    let run = 1;
    while (i + run < lengths.length && lengths[i + run] === length) run++;
    if (length !== 0) {
      symbols.push({ symbol: length, extra: 0, extraBits: 0 });
      i += 1;
      run -= 1;
    }
    while (run >= 3) {
      const repeat = length !== 0 ? repeats.same : run > repeats.zeros.max ? repeats.manyZeros : repeats.zeros;
      const taken = Math.min(run, repeat.max);
      symbols.push({ symbol: repeat.symbol, extra: taken - repeat.min, extraBits: repeat.extraBits });
      i += taken;
      run -= taken;
    }
    for (; run > 0; run--, i++) symbols.push({ symbol: length, extra: 0, extraBits: 0 });
  }
  return symbols;
}

/** The counts of literals and lengths, and of distances. Each code needs at least two symbols. */
function twoOfEach(all: Uint32Array): [Uint32Array, Uint32Array] {
  const counts = all.slice();
  counts[endOfBlock] = 1;
  for (const symbol of [at.byteAndLengthCodes, at.byteAndLengthCodes + 1])
    counts[symbol] = Math.max(1, counts[symbol] as number);
  return [counts.subarray(0, at.byteAndLengthCodes), counts.subarray(at.byteAndLengthCodes)];
}

/** An entry: the code, and from bit 24 on its length in bits. */
function withLengths(codes: Uint16Array, lengths: Uint8Array): Uint32Array {
  const entries = new Uint32Array(codes.length);
  for (let i = 0; i < codes.length; i++) entries[i] = (codes[i] as number) | ((lengths[i] as number) << 24);
  return entries;
}

/** The entries of literals, of end-of-block, and of match lengths with their extra bits. */
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

/** Consecutive ranges, each of 2^(extra bits) values. */
function rangesFrom(first: number, extraBits: readonly number[]): Range[] {
  const ranges: Range[] = [];
  let base = first;
  for (const bits of extraBits) {
    ranges.push({ base, extraBits: bits, end: base + 2 ** bits });
    base += 2 ** bits;
  }
  return ranges;
}

/** RFC 1951, 3.2.5. Length 258 has a code of its own, although the range before would contain it. */
export const matchLengths: readonly Range[] = [
  ...rangesFrom(3, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]),
  { base: at.longestMatch, extraBits: 0, end: at.longestMatch + 1 },
];
/** Distances minus 1. */
const distances = rangesFrom(
  0,
  Array.from({ length: at.distanceCodeCount }, (_, i) => Math.max(0, (i >> 1) - 1)),
);

export function writeTables(memory: Uint8Array): void {
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
