import * as at from "../../kernels/layout/deflate.ts";
import { type BlockOutput, writeBlockHead, writeBytes, writeTables } from "./deflate-block.ts";
import type { DeflateKernel } from "./kernel.ts";

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
        outputEnd = writeHead({ memory, integers, kernel, scratch: room.output - 512, to: outputEnd });
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

/** The head of the block that was counted, after which counting begins again. */
function writeHead(output: BlockOutput): number {
  const { memory, integers } = output;
  const counts = integers.slice(at.counts / 4, at.counts / 4 + at.byteAndLengthCodes + at.distanceCodeCount);
  for (let i = 0; i < 1024; i++)
    counts[i & 255] = (counts[i & 255] as number) + (integers[at.byteCounts / 4 + i] as number);
  memory.fill(0, at.counts, at.counts + 4 * (at.byteAndLengthCodes + at.distanceCodeCount));
  memory.fill(0, at.byteCounts, at.tokens);
  return writeBlockHead(output, counts);
}
