import { isFrame, markers, nextMarker, segmentAt } from "@tintype/codecs/jpeg";
import { addHuffmanTables, type HuffmanTable } from "./huffman-tables.ts";
import { latest, type McuBlocks, skipMcus } from "./skip-mcus.ts";

/** SOF0 and SOF1: sequential DCT with Huffman codes. */
const sequentialFrames = [0xc0, 0xc1];
const blockSide = 8;

type Position = {
  restartInterval: number;
  /** The offset of the scan's entropy-coded data. */
  start: number;
};
/** The segments before the first scan, without their markers and lengths. */
type Headers = Position & { frame: Uint8Array; scan: Uint8Array; huffmanTables: readonly Uint8Array[] };
type Scan = Position & { blocks: McuBlocks; mcus: number; mcusPerRow: number };

type Thoroughness = {
  /** Reads the whole scan, whatever its end looks like. */
  readsAll: boolean;
};

/**
 * Whether a sequential JPEG of one scan lacks entropy-coded data. libjpeg fills it up with grey and warns, but libvips
 * looks at warnings before it reads 8 rows, so it misses those about the last ones. It sees them if chroma has half of
 * the rows: smoothing needs the next row of MCUs. Other JPEGs are read to their end before the first row.
 *
 * Skipping all codes takes as long as decoding, and looking at the end 1 or 2 ms, so that comes first: if the last code
 * of an MCU is followed by nothing but padding, and the MCUs there are long enough for that to be no coincidence,
 * nothing is missing.
 */
export function lacksScanData(bytes: Uint8Array, { readsAll }: Thoroughness): boolean {
  const headers = headersOf(bytes);
  // Before the Huffman tables are built, which takes a millisecond.
  if (!headers || (!readsAll && isSmoothedDown(headers.frame))) return false;
  const scan = scanOf(headers);
  if (!scan || (!readsAll && endsWell(bytes, scan))) return false;
  return !isComplete(bytes, scan);
}

/** What precedes the first scan of a sequential frame; undefined for all other files, and for damage. */
function headersOf(bytes: Uint8Array): Headers | undefined {
  const huffmanTables: Uint8Array[] = [];
  let frame: Uint8Array | undefined;
  let restartInterval = 0;
  for (let segment = segmentAt(bytes, 2); segment; segment = segmentAt(bytes, segment.end)) {
    const { marker, data, end } = segment;
    if (marker === markers.sos) return frame && { frame, scan: data, huffmanTables, restartInterval, start: end };
    if (marker === markers.dht) huffmanTables.push(data);
    if (marker === markers.dri) restartInterval = wordAt(data, 0);
    if (!isFrame(marker)) continue;
    if (!sequentialFrames.includes(marker)) return undefined;
    frame = data;
  }
  return undefined;
}

const wordAt = (data: Uint8Array, at: number) => ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);

type Sampling = { across: number; down: number };

/** The sampling factors of a frame's components by their ids, and the largest ones (ITU-T T.81, A.1.1 and B.2.2). */
function samplingOf(frame: Uint8Array): { factors: ReadonlyMap<number, Sampling>; max: Sampling } {
  const count = frame[5] ?? 0;
  const factors = new Map<number, Sampling>();
  for (let at = 6; at < 6 + 3 * count; at += 3) {
    const [id = 0, both = 0] = frame.subarray(at);
    // A scan of one component is not interleaved: its MCU is one block.
    factors.set(id, count === 1 ? { across: 1, down: 1 } : { across: both >> 4, down: both & 15 });
  }
  const all = [...factors.values()];
  const max = {
    across: Math.max(...all.map(({ across }) => across)),
    down: Math.max(...all.map(({ down }) => down)),
  };
  return { factors, max };
}

/** Whether libjpeg smooths chroma across rows of MCUs: h2v2 and h1v2 in jinit_upsampler() of libjpeg-turbo's jdsample.c. */
function isSmoothedDown(frame: Uint8Array): boolean {
  const { factors, max } = samplingOf(frame);
  return [...factors.values()].some(
    ({ across, down }) => 2 * down === max.down && (across === max.across || 2 * across === max.across),
  );
}

/** The MCUs of a scan with all components of its frame (A.2 and B.2.3); undefined for other scans, and for damage. */
function scanOf({ frame, scan, huffmanTables, ...position }: Headers): Scan | undefined {
  const count = frame[5] ?? 0;
  if (scan[0] !== count) return undefined;
  const { factors, max } = samplingOf(frame);
  const tables = new Map<number, HuffmanTable>();
  for (const segment of huffmanTables) addHuffmanTables(tables, segment);
  const blocks: { dc: HuffmanTable; ac: HuffmanTable }[] = [];
  for (let at = 1; at < 1 + 2 * count; at += 2) {
    const [id = 0, selectors = 0] = scan.subarray(at);
    const [dc, ac, factor] = [tables.get(selectors >> 4), tables.get(0x10 | (selectors & 15)), factors.get(id)];
    if (!dc || !ac || !factor) return undefined;
    for (let left = factor.across * factor.down; left > 0; left--) blocks.push({ dc, ac });
  }
  const mcusPerRow = Math.ceil(wordAt(frame, 3) / (blockSide * max.across));
  const mcus = mcusPerRow * Math.ceil(wordAt(frame, 1) / (blockSide * max.down));
  return { ...position, blocks, mcus, mcusPerRow };
}

/** Huffman codes resynchronize within a few hundred bytes: a decoder may begin anywhere. */
const tailBytes = 16_384;
/** A cut happens to be at the end of an MCU, with valid padding, once in as many cuts as half the bits of an MCU. */
const fewBitsPerMcu = 64;

function endsWell(bytes: Uint8Array, { blocks, start, restartInterval, mcus, mcusPerRow }: Scan): boolean {
  const end = nextMarker(bytes, start);
  const tail = Math.max(start, end - tailBytes);
  const restart = restartInterval > 0 ? lastRestart(bytes.subarray(0, end), tail) : undefined;
  if (restart !== undefined) {
    const intervals = Math.ceil(mcus / restartInterval);
    const inLast = mcus - (intervals - 1) * restartInterval;
    // The number of an RSTm is modulo 8, and the decoder sees what is missing before the last row.
    if (8 * restartInterval < mcusPerRow) return false;
    const isLast = ((bytes[restart - 1] ?? 0) & 7) === ((intervals - 2) & 7);
    return isLast && skipMcus(bytes, { blocks, start: restart, most: inLast }).mcus === inLast;
  }
  for (let at = tail; at < end; ) {
    const skipped = skipMcus(bytes, { blocks, start: at });
    if (!skipped.isInvalid) return skipped.isPadded && skipped.latestBits >= latest * fewBitsPerMcu;
    at = Math.max(at + 1, skipped.at);
  }
  return false;
}

/** The offset after the last RSTm from `start` on. */
function lastRestart(bytes: Uint8Array, start: number): number | undefined {
  for (let at = bytes.lastIndexOf(0xff); at >= start; at = bytes.lastIndexOf(0xff, at - 1))
    if (isRestart(bytes[at + 1])) return at + 2;
  return undefined;
}

const isRestart = (marker = 0) => marker >= markers.rst0 && marker <= markers.rst7;

/** Reads every MCU. A restart interval that does not begin with the expected marker is left to the decoder to judge. */
function isComplete(bytes: Uint8Array, { blocks, start, restartInterval, mcus }: Scan): boolean {
  const most = restartInterval || mcus;
  for (let [left, at, restarts] = [mcus, start, 0]; ; restarts++) {
    const wanted = Math.min(left, most);
    const skipped = skipMcus(bytes, { blocks, start: at, most: wanted });
    if (skipped.mcus < wanted) return false;
    left -= wanted;
    if (left === 0) return true;
    const marker = markerAfter(bytes, skipped.at);
    const code = bytes[marker + 1];
    if (code === undefined || code === markers.eoi) return false;
    if (code !== markers.rst0 + (restarts & 7)) return true;
    at = marker + 2;
  }
}

/** The offset of the next marker, RSTm included, or of the end. */
function markerAfter(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1];
    if (code !== 0 && code !== 0xff) return at;
  }
  return bytes.length;
}
