import * as at from "../kernels/layout/deflate.ts";
import { type BlockOutput, startDeflate, writeBlockHead, writeBytes, writeTables } from "./deflate-block.ts";

/** The costs of literals are re-estimated after this many bytes. */
const segmentBytes = 32_000;
/** A block ends with the segment in which it reaches this many literals and matches. */
const blockSize = 100_000;
/** The depth of the match search: see findMatches. */
const searchDepth = { deep: 6, shallow: 1 } as const;
/**
 * If matches save less than `share` of a segment's bits, the next `segments` get a shallow match search, or only
 * literals. The true saving is smaller still, because matches raise the cost of literals. This saves a half to two
 * thirds of the time for photographs, and makes enlarged ones smaller. After a JPEG with subsampled chroma, differences
 * repeat from channel to channel, and matches save a tenth or more.
 */
const skipping = {
  shallow: { share: 0.07, segments: 7 },
  literals: { share: 0.01, urgentShare: 0.02, segments: 5 },
} as const;
/** A match has at least four bytes. */
const tokenBytes = (blockSize + segmentBytes / 4) * 8 + 1024;

/** The memory layout of a deflater for parts of up to `partBytes`. */
export function deflaterLayout(partBytes: number) {
  const window = at.tokens + tokenBytes;
  const part = window + at.windowBytes;
  const output = part + Math.ceil(partBytes / 4) * 4 + 512;
  // A literal takes at most 14 bits, and a match of four bytes at most 53.
  return { part, window, output, end: output + 2 * partBytes + 4096 };
}

type DeflaterOptions = {
  memory: WebAssembly.Memory;
  layout: ReturnType<typeof deflaterLayout>;
  /** Use a shallow match search. */
  isUrgent: boolean;
};

/**
 * Deflate (RFC 1951) with dynamic Huffman codes, for filtered photographs, in which few bytes repeat and most are near
 * zero. Unlike zlib, it uses a match only if that costs less than its literals. docs/formats.md compares bytes and time
 * with zlib's.
 *
 * `pack` compresses the bytes from `layout.part` up to `end`, and `finish` ends the stream. The next call overwrites
 * their results.
 */
export function createDeflater({ memory: shared, layout, isUrgent }: DeflaterOptions) {
  const kernel = startDeflate(shared);
  const [memory, integers] = [new Uint8Array(shared.buffer), new Uint32Array(shared.buffer)];
  writeTables(memory);
  // The window before the first byte must not match anything.
  memory.fill(255, layout.window, layout.part);
  let packed = 0;
  let [shallow, unmatched] = [0, 0];
  return {
    pack(end: number): Uint8Array {
      const shift = packed - layout.part;
      let outputEnd = layout.output;
      let tokensEnd: number = at.tokens;
      let blockStart = layout.part;
      integers[at.start / 4] = layout.part;
      for (let from = layout.part; from < end; ) {
        const segment = Math.min(from + segmentBytes, end);
        if (unmatched > 0) {
          kernel.passBytes(from, segment);
          unmatched--;
        } else {
          writeCosts(memory, from, segment);
          const isShallow = isUrgent || shallow > 0;
          tokensEnd = kernel.findMatches(
            from,
            segment,
            end,
            shift,
            tokensEnd,
            isShallow ? searchDepth.shallow : searchDepth.deep,
          );
          const share = shareSaved(integers, segment - from);
          if (share < skipping.literals[isUrgent ? "urgentShare" : "share"]) unmatched = skipping.literals.segments;
          if (shallow > 0) shallow--;
          else if (share < skipping.shallow.share) shallow = skipping.shallow.segments;
        }
        from = integers[at.position / 4] as number;
        if (from < end && (integers[at.seen / 4] as number) < blockSize) continue;
        integers.set([from - (integers[at.start / 4] as number), at.endToken], tokensEnd / 4);
        outputEnd = writeHead({ memory, integers, kernel, scratch: layout.output - 512, to: outputEnd });
        outputEnd = kernel.writeTokens(at.tokens, tokensEnd + 8, blockStart, outputEnd);
        tokensEnd = at.tokens;
        blockStart = from;
        integers[at.start / 4] = from;
        integers[at.seen / 4] = 0;
      }
      packed += end - layout.part;
      memory.copyWithin(layout.window, end - at.windowBytes, end);
      return memory.subarray(layout.output, outputEnd);
    },
    /** Continues Adler-32 (RFC 1950) from `sum` over the bytes from `layout.part` up to `end`. */
    checksum: (sum: number, end: number) => kernel.adler32(sum, layout.part, end),
    finish(): Uint8Array {
      // An empty final block with fixed codes (RFC 1951, 3.2.6), padded with zeros.
      integers.set([(10 << 24) | 0b11, 7 << 24], at.entries / 4);
      return memory.subarray(
        layout.output,
        writeBytes({ memory, integers, kernel, scratch: layout.output - 512, to: layout.output }, [0, 1]),
      );
    },
  };
}

/** The share of a segment's bits that its matches save. */
const shareSaved = (integers: Uint32Array, length: number): number =>
  (integers[at.saved / 4] as number) / (integers[at.sums / 4 + length] as number);

/** The estimated cost of each literal in eighths of a bit; at least one bit. */
function writeCosts(memory: Uint8Array, from: number, end: number): void {
  const counts = new Uint32Array(256).fill(1);
  let total = 256;
  // Samples every 13th byte, which visits all channels in turn.
  for (let i = from; i < end; i += 13, total++) {
    const byte = memory[i] as number;
    counts[byte] = (counts[byte] as number) + 1;
  }
  for (let byte = 0; byte < 256; byte++)
    memory[at.costs + byte] = Math.max(8, Math.round(8 * Math.log2(total / (counts[byte] as number))));
}

/** Writes the header of the counted block, and resets the counts. */
function writeHead(output: BlockOutput): number {
  const { memory, integers } = output;
  const counts = integers.slice(at.counts / 4, at.counts / 4 + at.byteAndLengthCodes + at.distanceCodeCount);
  for (let i = 0; i < 1024; i++)
    counts[i & 255] = (counts[i & 255] as number) + (integers[at.byteCounts / 4 + i] as number);
  memory.fill(0, at.counts, at.counts + 4 * (at.byteAndLengthCodes + at.distanceCodeCount));
  memory.fill(0, at.byteCounts, at.tokens);
  return writeBlockHead(output, counts);
}
