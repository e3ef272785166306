import * as at from "../../kernels/layout/jpeg-scans.ts";
import { createRoom } from "../../kernels/room.ts";
import { codeFor, leastBits } from "./codes.ts";
import { startScans } from "./kernel.ts";
import type { QuantizedPicture } from "./quantize-picture.ts";

/**
 * One pass over a component: coefficients from `first` to `final` in zigzag order, down to their bit `low`. `isNext` adds this
 * bit to what an earlier scan has written.
 */
export type Scan = { component: number; first: number; final: number; low: number; isNext: boolean };

/** Rows of blocks that are looked at before a scan is chosen: at least so many of them, and about so many words. */
const sampledRows = 8;
const sampledWords = 8000;

/** Estimates and writes the scans of a picture (ITU-T T.81, annex G). */
export function createScanCoder({ components }: QuantizedPicture) {
  const longest = components.flatMap(({ pieces }) => pieces).reduce((most, { length }) => Math.max(most, length), 0);
  const room = createRoom();
  room.take(at.tablesEnd);
  const words = room.take(longest * 4);
  // A word takes at most 16 bits of code, four of sixteen zeros, and 15 of its value; any byte may need a zero behind it.
  const output = room.take(longest * 24 + 16_384);
  const memory = new WebAssembly.Memory({ initial: room.pages() });
  const kernel = startScans(memory);
  const bytes = new Uint8Array(memory.buffer);
  const integers = new Uint32Array(memory.buffer);
  const counts = integers.subarray(at.counts / 4, at.counts / 4 + 256);
  const samples = components.map(({ pieces }) => sampleOf(pieces));
  const known = new Map<string, number>();

  function run({ first, final, low, isNext }: Scan, pieces: readonly Uint32Array[], to: number): Uint8Array[] {
    integers.fill(0, at.extraBits / 4, at.corrections / 4);
    const written: Uint8Array[] = [];
    const keep = (end: number) => {
      if (to) written.push(bytes.slice(to, end));
    };
    for (const piece of pieces) {
      integers.set(piece, words / 4);
      const end = words + piece.length * 4;
      if (final === 0) keep(kernel.means(words, end, low, to));
      else if (isNext) keep(kernel.nextBit(words, end, first, final, low, to));
      else keep(kernel.firstBits(words, end, first, final, low, to));
    }
    keep(kernel.endScan(to));
    return written;
  }

  function estimate(scan: Scan): number {
    const { pieces, share } = samples[scan.component] as Sample; // there is one for each component
    counts.fill(0);
    run(scan, pieces, 0);
    const behind = (integers[at.extraBits / 4] ?? 0) + (integers[at.extraBits / 4 + 1] ?? 0) * 2 ** 32;
    const { bits, symbols } = leastBits(counts);
    return (bits + behind) / 8 / share + headBytes + symbols;
  }

  return {
    /** About as many as `write` gives, by a part of the picture. */
    estimateBytes(scan: Scan): number {
      const key = JSON.stringify(scan);
      const bytes = known.get(key) ?? estimate(scan);
      known.set(key, bytes);
      return bytes;
    },
    write(scan: Scan): Uint8Array[] {
      const { pieces = [] } = components[scan.component] ?? {};
      counts.fill(0);
      run(scan, pieces, 0);
      const { words: codes, numbers, symbols } = codeFor(counts);
      integers.set(codes, at.codes / 4);
      const kind = scan.final === 0 ? 0 : 16;
      return [
        segment(0xc4, [kind, ...numbers, ...symbols]),
        segment(0xda, [
          1,
          scan.component + 1,
          0,
          scan.first,
          scan.final,
          ((scan.isNext ? scan.low + 1 : 0) << 4) | scan.low,
        ]),
        ...run(scan, pieces, output),
      ];
    },
  };
}

/** `share` of all words. */
type Sample = { pieces: Uint32Array[]; share: number };

function sampleOf(pieces: readonly Uint32Array[]): Sample {
  const wordsOf = (some: readonly Uint32Array[]) => some.reduce((sum, { length }) => sum + length, 0);
  const all = wordsOf(pieces);
  const step = Math.max(1, Math.floor(Math.min(pieces.length / sampledRows, all / sampledWords)));
  const sampled = pieces.filter((_, row) => row % step === step >> 1);
  return { pieces: sampled, share: wordsOf(sampled) / all };
}

/** Of a scan and its Huffman table, without symbols. */
const headBytes = 21 + 10;

/** A marker with its data, at most 65,533 bytes. */
export function segment(marker: number, data: Iterable<number> & { length: number }): Uint8Array {
  const length = data.length + 2;
  return Uint8Array.of(0xff, marker, length >> 8, length & 255, ...data);
}
