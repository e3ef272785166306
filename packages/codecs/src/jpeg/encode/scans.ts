import { entropyBits, huffmanTableFor } from "../../entropy/huffman.ts";
import * as at from "../../kernels/layout/jpeg-scans.ts";
import { createMemoryLayout } from "../../kernels/memory.ts";
import { markers, writeSegment } from "../segments.ts";
import { startScans } from "./kernel.ts";
import type { QuantizedPicture } from "./quantize-picture.ts";

/**
 * A non-interleaved scan by its header parameters (ITU-T T.81, B.2.3): coefficients Ss to Se in zig-zag order, with
 * point transform Al. Ah is 0 for a first scan; in a refinement scan it is Al + 1, and the scan codes bit Al.
 */
export type Scan = { component: number; ss: number; se: number; ah: number; al: number };

/** The sample for byte estimates: at least this many rows of blocks if there are as many, and about this many words. */
const sampledRows = 8;
const sampledWords = 8000;

/** Estimates and writes the scans of a picture: progressive DCT-based mode with Huffman coding (ITU-T T.81, G.1.2). */
export function createScanCoder({ components }: QuantizedPicture) {
  const longest = components.flatMap(({ pieces }) => pieces).reduce((most, { length }) => Math.max(most, length), 0);
  const layout = createMemoryLayout();
  layout.take(at.tablesEnd);
  const words = layout.take(longest * 4);
  // A word takes at most three ZRLs, a code of 16 bits, and 15 additional bits. Byte stuffing can double that.
  const output = layout.take(longest * 24 + 16_384);
  const memory = layout.allocate();
  const kernel = startScans(memory);
  const bytes = new Uint8Array(memory.buffer);
  const integers = new Uint32Array(memory.buffer);
  const counts = integers.subarray(at.counts / 4, at.counts / 4 + 256);
  const samples = components.map(({ pieces }) => sampleOf(pieces));
  const cached = new Map<string, number>();

  function run({ ss, se, ah, al }: Scan, pieces: readonly Uint32Array[], to: number): Uint8Array[] {
    integers.fill(0, at.additionalBits / 4, at.correctionBits / 4);
    const written: Uint8Array[] = [];
    const keep = (end: number) => {
      if (to) written.push(bytes.slice(to, end));
    };
    for (const piece of pieces) {
      integers.set(piece, words / 4);
      const end = words + piece.length * 4;
      if (se === 0) keep(kernel.dcScan(words, end, al, to));
      else if (ah > 0) keep(kernel.acRefinementScan(words, end, ss, se, al, to));
      else keep(kernel.acFirstScan(words, end, ss, se, al, to));
    }
    keep(kernel.finishScan(to));
    return written;
  }

  function estimate(scan: Scan): number {
    const { pieces, share } = samples[scan.component] as Sample; // one for each component
    counts.fill(0);
    run(scan, pieces, 0);
    const additional = (integers[at.additionalBits / 4] ?? 0) + (integers[at.additionalBits / 4 + 1] ?? 0) * 2 ** 32;
    const { bits, symbols } = entropyBits(counts);
    return (bits + additional) / 8 / share + headerBytes + symbols;
  }

  return {
    /** Bytes of the scan with its DHT and SOS, estimated from a sample of the picture. */
    estimateBytes(scan: Scan): number {
      const key = JSON.stringify(scan);
      const bytes = cached.get(key) ?? estimate(scan);
      cached.set(key, bytes);
      return bytes;
    },
    /** DHT with a table optimized for the scan, SOS, and the entropy-coded data. */
    write(scan: Scan): Uint8Array[] {
      const { pieces = [] } = components[scan.component] ?? {};
      counts.fill(0);
      run(scan, pieces, 0);
      const { codes, bits, huffval } = huffmanTableFor(counts);
      integers.set(codes, at.codes / 4);
      const tableClass = scan.se === 0 ? 0 : 16;
      return [
        writeSegment(markers.dht, [tableClass, ...bits, ...huffval]),
        writeSegment(markers.sos, [1, scan.component + 1, 0, scan.ss, scan.se, (scan.ah << 4) | scan.al]),
        ...run(scan, pieces, output),
      ];
    },
  };
}

/** Evenly spaced rows of blocks, and their share of all words. */
type Sample = { pieces: Uint32Array[]; share: number };

function sampleOf(pieces: readonly Uint32Array[]): Sample {
  const wordsOf = (some: readonly Uint32Array[]) => some.reduce((sum, { length }) => sum + length, 0);
  const all = wordsOf(pieces);
  const step = Math.max(1, Math.floor(Math.min(pieces.length / sampledRows, all / sampledWords)));
  const sampled = pieces.filter((_, row) => row % step === step >> 1);
  return { pieces: sampled, share: wordsOf(sampled) / all };
}

/** Bytes of DHT without HUFFVAL, and of SOS. */
const headerBytes = 21 + 10;

/**
 * The candidate scan scripts: the Se of each band (spectral selection, ITU-T T.81, G.1.1.1.1) and the Al of its first
 * scan (successive approximation, G.1.1.1.2). Chroma has few nonzero coefficients: more candidates save next to nothing
 * there.
 */
const trials: Record<"luma" | "chroma", { bands: readonly (readonly number[])[]; als: readonly number[] }> = {
  luma: { bands: [[63], [2, 63], [5, 63], [8, 63]], als: [0, 1, 2] },
  chroma: { bands: [[63], [2, 63], [5, 63]], als: [0, 1] },
};

/**
 * Chooses the scan script by estimated bytes: the DC scans, then for each component the cheapest of its AC scripts. The
 * DC scans are not interleaved either, so that each component has its own Huffman table.
 */
export function chooseScans(components: number, estimateBytes: (scan: Scan) => number): Scan[] {
  const all = Array.from({ length: components }, (_, component) => component);
  const dcScans = all.map((component) => ({ component, ss: 0, se: 0, ah: 0, al: 0 }));
  return [...dcScans, ...all.flatMap((component) => cheapest(acScriptsFor(component), estimateBytes))];
}

function acScriptsFor(component: number): Scan[][] {
  const { bands, als } = trials[component === 0 ? "luma" : "chroma"];
  return als.flatMap((al) =>
    bands.flatMap((ends) => {
      const ranges = ends.map((se, i) => ({ component, ss: i === 0 ? 1 : (ends[i - 1] ?? 0) + 1, se }));
      const [head, ...rest] = ranges.map((range) => ({ ...range, ah: 0, al }));
      if (!head) return [];
      const refinements = (ss: number) =>
        Array.from({ length: al }, (_, i) => ({ component, ss, se: 63, ah: al - i, al: al - 1 - i }));
      const script = [head, ...rest, ...refinements(1)];
      // A variant with the first band at full precision: only the others use successive approximation.
      const lowInFull =
        rest.length > 0 && al > 0 ? [{ ...head, al: 0 }, ...rest, ...refinements(head.se + 1)] : undefined;
      return lowInFull ? [script, lowInFull] : [script];
    }),
  );
}

function cheapest(scripts: readonly Scan[][], estimateBytes: (scan: Scan) => number): Scan[] {
  const [first = [], ...others] = scripts;
  const bytesOf = (script: readonly Scan[]) => script.reduce((sum, scan) => sum + estimateBytes(scan), 0);
  let best = { script: first, bytes: bytesOf(first) };
  for (const script of others) {
    const bytes = bytesOf(script);
    if (bytes < best.bytes) best = { script, bytes };
  }
  return best.script;
}
