import { addHuffmanTables, type HuffmanTable } from "./huffman-tables.ts";
import { isFrame, markers, nextMarker, segmentAt } from "./segments.ts";
import { latest, type McuBlocks, skipMcus } from "./skip-mcus.ts";

/** SOF0 and SOF1: sequential DCT with Huffman codes. */
const sequentialFrames = [0xc0, 0xc1];
const blockSide = 8;

type Scan = {
  blocks: McuBlocks;
  mcus: number;
  mcusPerRow: number;
  restartInterval: number;
  start: number;
  /** libjpeg smooths chroma across rows of MCUs. */
  isSmoothedDown: boolean;
};

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
  const scan = onlyScan(bytes);
  if (!scan || (!readsAll && (scan.isSmoothedDown || endsWell(bytes, scan)))) return false;
  return !isComplete(bytes, scan);
}

/** The scan of a sequential frame that has all of its components; undefined for all other files, and for damage. */
function onlyScan(bytes: Uint8Array): Scan | undefined {
  const tables = new Map<number, HuffmanTable>();
  let frame: Uint8Array | undefined;
  let restartInterval = 0;
  for (let segment = segmentAt(bytes, 2); segment; segment = segmentAt(bytes, segment.end)) {
    const { marker, data, end } = segment;
    if (marker === markers.sos) {
      const layout = frame && layoutOf(frame, data, tables);
      return layout && { ...layout, restartInterval, start: end };
    }
    if (marker === markers.dht) addHuffmanTables(tables, data);
    if (marker === markers.dri) restartInterval = wordAt(data, 0);
    if (!isFrame(marker)) continue;
    if (!sequentialFrames.includes(marker)) return undefined;
    frame = data;
  }
  return undefined;
}

const wordAt = (data: Uint8Array, at: number) => ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);

/** The MCUs of a scan with all components of a frame (ITU-T T.81, A.2, B.2.2 and B.2.3). */
function layoutOf(frame: Uint8Array, scan: Uint8Array, tables: ReadonlyMap<number, HuffmanTable>) {
  const count = frame[5] ?? 0;
  if (scan[0] !== count) return undefined;
  const factors = new Map<number, { across: number; down: number }>();
  for (let at = 6; at < 6 + 3 * count; at += 3) {
    const [id = 0, both = 0] = frame.subarray(at);
    // A scan of one component is not interleaved: its MCU is one block.
    factors.set(id, count === 1 ? { across: 1, down: 1 } : { across: both >> 4, down: both & 15 });
  }
  const blocks: { dc: HuffmanTable; ac: HuffmanTable }[] = [];
  for (let at = 1; at < 1 + 2 * count; at += 2) {
    const [id = 0, selectors = 0] = scan.subarray(at);
    const [dc, ac, factor] = [tables.get(selectors >> 4), tables.get(0x10 | (selectors & 15)), factors.get(id)];
    if (!dc || !ac || !factor) return undefined;
    for (let left = factor.across * factor.down; left > 0; left--) blocks.push({ dc, ac });
  }
  const all = [...factors.values()];
  const across = Math.max(...all.map((factor) => factor.across));
  const down = Math.max(...all.map((factor) => factor.down));
  // jinit_upsampler() in libjpeg-turbo's jdsample.c: h2v2 and h1v2 need the rows around.
  const isSmoothedDown = all.some(
    (factor) => 2 * factor.down === down && (factor.across === across || 2 * factor.across === across),
  );
  const mcusPerRow = Math.ceil(wordAt(frame, 3) / (blockSide * across));
  const mcus = mcusPerRow * Math.ceil(wordAt(frame, 1) / (blockSide * down));
  return { blocks, mcus, mcusPerRow, isSmoothedDown };
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
