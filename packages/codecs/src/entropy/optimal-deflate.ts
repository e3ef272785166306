import code from "../kernels/build/optimal-parse.wasm.js";
import * as at from "../kernels/layout/deflate.ts";
import * as own from "../kernels/layout/optimal-parse.ts";
import { loadKernel } from "../kernels/load-kernel.ts";
import { kernelMemory } from "../kernels/memory.ts";
import {
  type BlockOutput,
  matchLengths,
  startDeflate,
  writeBlockHead,
  writeBytes,
  writeTables,
} from "./deflate-block.ts";

/** The functions of kernels/assembly/optimal-parse.ts. */
type ParseKernel = {
  findMatches(
    chunk: number,
    end: number,
    first: number,
    last: number,
    depth: number,
    pixelBytes: number,
    rowBytes: number,
  ): number;
  chooseSteps(chunk: number, from: number, to: number): void;
  countSteps(chunk: number, at: number, to: number): number;
  writeSteps(chunk: number, at: number, to: number, tokens: number): number;
};

const startParse = loadKernel<ParseKernel>(code);

/**
 * `depth`: candidates with the same twelve bytes that are compared, at each byte or at each pixel. `passes`: how often
 * a block is parsed with the costs of its own codes.
 */
export type ParseEffort = { depth: number; passes: number; at: "bytes" | "pixels" };

/** Filtered rows: `length` bytes in total. A row is one byte and pixels of `pixelBytes`. */
type FilteredRows = { length: number; rowBytes: number; pixelBytes: number };

/** By the bytes of a picture's pixels; undefined if it would take minutes. */
export function parseEffort(sizeBytes: number): ParseEffort | undefined {
  if (sizeBytes > 200e6) return undefined;
  return sizeBytes > 18e6 ? { depth: 16, passes: 0, at: "pixels" } : { depth: 40, passes: 1, at: "bytes" };
}

/** The same for an indexed picture or a drawing: flat areas give long matches, and a deep search pays off. */
export function evenEffort(sizeBytes: number): ParseEffort | undefined {
  if (sizeBytes > 200e6) return undefined;
  return sizeBytes > 6e6 ? { depth: 100, passes: 1, at: "bytes" } : { depth: 1000, passes: 3, at: "bytes" };
}

const codeCount = at.byteAndLengthCodes + at.distanceCodeCount;
/** Symbols are counted in pieces of this many bytes; adjacent pieces with similar counts become one block. */
const pieceBytes = 8192;
/** The approximate size of a block header, bits. */
const headBits = 500;

/**
 * The zlib stream (RFC 1950) of the bytes that `fill` writes: deflate (RFC 1951) with optimal parsing, iterated with
 * the code costs that result from the previous parse. Blocks end where the statistics of the bytes change.
 */
export function deflateOptimally(
  { length, rowBytes, pixelBytes }: FilteredRows,
  effort: ParseEffort,
  fill: (bytes: Uint8Array) => void,
): Uint8Array[] {
  const treeStep = effort.at === "pixels" ? pixelBytes : 1;
  const last = own.data + length;
  const shared = kernelMemory(last + own.margin);
  const [parse, deflate] = [startParse(shared), startDeflate(shared)];
  const [memory, integers] = [new Uint8Array(shared.buffer), new Uint32Array(shared.buffer)];
  writeTables(memory);
  fill(memory.subarray(own.data, last));
  const parts: Uint8Array[] = [zlibHeader];
  const output: BlockOutput = { memory, integers, kernel: deflate, scratch: own.scratch, to: own.output };
  let known: Float64Array | undefined;
  for (let chunk = own.data; chunk < last; ) {
    const end = Math.min(chunk + own.chunkBytes, last);
    const reached = parse.findMatches(chunk, end, own.data, last, effort.depth, treeStep, rowBytes);
    if (!known) {
      setCosts(integers, firstCounts(memory.subarray(chunk, reached)));
      parse.chooseSteps(chunk, chunk, reached);
      known = countsOf(chunk, chunk, reached).counts;
    }
    setCosts(integers, known);
    parse.chooseSteps(chunk, chunk, reached);
    for (const block of blocksOf(chunk, reached)) {
      const counts = settle(chunk, block);
      known = Float64Array.from(counts);
      const to = writeBlockHead(output, counts);
      const tokensEnd = parse.writeSteps(chunk, block.from, block.to, at.tokens);
      integers[tokensEnd / 4 + 1] = at.endToken;
      const outputEnd = deflate.writeTokens(at.tokens, tokensEnd + 8, block.from, to);
      parts.push(memory.slice(output.to, outputEnd));
    }
    chunk = reached;
  }
  integers.set([(10 << 24) | 0b11, 7 << 24], at.entries / 4);
  parts.push(memory.slice(output.to, writeBytes(output, [0, 1])));
  const checksum = new Uint8Array(4);
  new DataView(checksum.buffer).setInt32(0, deflate.adler32(1, own.data, last));
  parts.push(checksum);
  return parts;

  function countsOf(chunk: number, from: number, to: number) {
    memory.fill(0, at.counts, at.counts + 4 * codeCount);
    const reached = parse.countSteps(chunk, from, to);
    return { counts: Float64Array.from(integers.subarray(at.counts / 4, at.counts / 4 + codeCount)), reached };
  }
  /** Parses a block `passes` times with the costs of its own codes. */
  function settle(chunk: number, block: Block): Uint32Array {
    let { counts } = block;
    for (let pass = 0; pass < effort.passes; pass++) {
      setCosts(integers, counts);
      parse.chooseSteps(chunk, block.from, block.to);
      counts = countsOf(chunk, block.from, block.to).counts;
    }
    return Uint32Array.from(counts);
  }
  function blocksOf(chunk: number, end: number): Block[] {
    const pieces: Block[] = [];
    for (let from = chunk; from < end; ) {
      const { counts, reached } = countsOf(chunk, from, Math.min(end, from + pieceBytes));
      pieces.push({ from, to: reached, counts, bits: bitsOf(counts) });
      from = reached;
    }
    return joined(pieces);
  }
}

type Block = { from: number; to: number; counts: Float64Array; bits: number };

/** Merges adjacent blocks as long as that saves bits, the best pair first. */
function joined(pieces: Block[]): Block[] {
  const join = (a: Block | undefined, b: Block | undefined): { block: Block; gain: number } | undefined => {
    if (!a || !b) return undefined;
    const counts = a.counts.map((count, code) => count + (b.counts[code] as number));
    const bits = bitsOf(counts);
    return { block: { from: a.from, to: b.to, counts, bits }, gain: a.bits + b.bits + headBits - bits };
  };
  const joins = pieces.map((piece, i) => join(piece, pieces[i + 1]));
  for (;;) {
    const best = joins.reduce((most, one, i) => ((one?.gain ?? 0) > (joins[most]?.gain ?? 0) ? i : most), 0);
    const found = joins[best];
    if (!found || found.gain <= 0) return pieces;
    pieces.splice(best, 2, found.block);
    joins.splice(best, 1);
    joins[best] = join(pieces[best], pieces[best + 1]);
    if (best > 0) joins[best - 1] = join(pieces[best - 1], pieces[best]);
  }
}

/** The entropy of the symbols in bits, without extra bits. */
function bitsOf(counts: Float64Array): number {
  const part = (from: number, to: number) => {
    let [total, sum] = [0, 0];
    for (let code = from; code < to; code++) {
      const count = counts[code] as number;
      if (count === 0) continue;
      total += count;
      sum += count * Math.log2(count);
    }
    return total > 0 ? total * Math.log2(total) - sum : 0;
  };
  return part(0, at.byteAndLengthCodes) + part(at.byteAndLengthCodes, codeCount);
}

/** Counts for the first parse: each byte as a literal, and all matches equally rare. */
function firstCounts(bytes: Uint8Array): Float64Array {
  const counts = new Float64Array(codeCount);
  for (const byte of bytes) counts[byte] = (counts[byte] as number) + 1;
  const rare = bytes.length / 64;
  return counts.fill(rare, 257, at.byteAndLengthCodes).fill(rare, at.byteAndLengthCodes);
}

/** The count of a symbol that does not occur: it costs a little more than one that occurs once. */
const minCount = 0.5;

function setCosts(integers: Uint32Array, counts: Float64Array): void {
  const costs = (from: number, to: number) => {
    let total = 0;
    for (let code = from; code < to; code++) total += counts[code] as number;
    return (code: number) => Math.log2(Math.max(2, total) / Math.max(minCount, counts[code] as number));
  };
  const cost = costs(0, at.byteAndLengthCodes);
  const unit = (bits: number) => Math.max(1, Math.round(own.costUnit * bits));
  for (let byte = 0; byte < 256; byte++) integers[own.byteCosts / 4 + byte] = unit(cost(byte));
  for (const [i, { base, extraBits, end }] of matchLengths.entries())
    integers.fill(unit(cost(257 + i) + extraBits), own.lengthCosts / 4 + base, own.lengthCosts / 4 + end);
  const distanceCost = costs(at.byteAndLengthCodes, codeCount);
  for (let code = 0; code < at.distanceCodeCount; code++)
    integers[own.distanceCosts / 4 + code] = unit(
      distanceCost(at.byteAndLengthCodes + code) + Math.max(0, (code >> 1) - 1),
    );
}

/** CMF and FLG (RFC 1950, 2.2): a window of 32 KB, maximum compression. */
const zlibHeader = Uint8Array.of(0x78, 0xda);
