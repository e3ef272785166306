import { promisify } from "node:util";
import { constants, deflateRaw, deflateSync, type ZlibOptions } from "node:zlib";
import { bytesOf, type IntegerSamples } from "../../raster/raster.ts";
import type { RowReader } from "../../raster/rows.ts";
import { pngChunk } from "./chunk.ts";
import { createFilter, filterMargin, filterRoom } from "./filter.ts";
import { pngHead } from "./head.ts";
import { startFilter } from "./kernel.ts";

/** A picture of 8 or 16 bits, to be written as PNG. */
export type PngRows = RowReader<IntegerSamples> & {
  profile?: Uint8Array | undefined;
  /** The size at which it is to be shown, pixels an inch. */
  density?: number | undefined;
};

/** Rows are taken in strips of about so many bytes: 2 to 20 ms of work, then others have a turn. */
const stripBytes = 1 << 19;
/** Strips in hand: one of them is filtered. An engine has a core or two, and more strips would only take memory. */
const stripsAtOnce = 3;
/** Up to so many bytes zlib's default takes little time, and finds repeats that run lengths miss. */
const smallBytes = 1 << 15;

/**
 * Filtered rows of photographs repeat little but their last byte: run lengths take at most 6 % more bytes than zlib's level 9,
 * in a tenth of its time (docs/decisions/0022). `memLevel` 9 gives longer blocks, and so fewer headers.
 */
const runLengths = { strategy: constants.Z_RLE, memLevel: 9, chunkSize: stripBytes / 2 } as const;
const pack = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw);

/**
 * A lossless PNG, piece by piece; docs/formats.md has its time and bytes beside sharp's by kind of picture. Memory contains
 * three strips and their packed forms, and two rows, whatever the picture's size. Stops between strips when `signal` is aborted.
 */
export async function* packRows(picture: PngRows, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  yield pngHead({ ...picture, depth: depthOf(picture.full), colourType: colourTypes[picture.channels] });
  for await (const data of packedStrips(picture, signal)) yield pngChunk("IDAT", data);
  yield pngChunk("IEND", new Uint8Array());
}

const depthOf = (full: number) => (full === 65_535 ? 16 : 8);
const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

/**
 * The zlib stream (RFC 1950) in parts: its two bytes of head, deflate's blocks strip by strip, and Adler-32 of the rows. Each
 * strip but the last ends with an empty block at a whole byte, and the next one continues the stream there. zlib packs a strip in
 * a thread of Node's while the next ones are filtered.
 */
async function* packedStrips(picture: PngRows, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const { width, height, channels } = picture;
  const depth = depthOf(picture.full);
  const pixelBytes = (channels * depth) / 8;
  const rowBytes = width * pixelBytes;
  const stripRows = Math.min(height, Math.max(1, Math.floor(stripBytes / (rowBytes + 1))));
  const strip = filterMargin;
  const room = filterRoom(strip + stripRows * (rowBytes + 1) + filterMargin, rowBytes);
  const { memory, kernel } = startFilter(room.end);
  const rows = createFilter({ memory, kernel, room, rowBytes, pixelBytes, depth });
  const packing: Promise<Uint8Array>[] = [];
  let sum = 1;
  for (let first = 0; first < height; first += stripRows) {
    signal?.throwIfAborted();
    const isLast = first + stripRows >= height;
    let end: number = strip;
    for (let row = first; row < Math.min(first + stripRows, height); row++, end += rowBytes + 1)
      rows.filterRow(bytesOf(picture.readRow(row)), end);
    const filtered = Buffer.from(memory.subarray(strip, end));
    if (isLast && first === 0 && filtered.length <= smallBytes) return yield deflateSync(filtered);
    sum = kernel.checksum(sum, strip, end);
    const [before, after] = [first === 0 ? [zlibHead] : [], isLast ? [bigEndian(sum)] : []];
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    packing.push(
      pack(filtered, { ...runLengths, finishFlush }).then((blocks) => Buffer.concat([...before, blocks, ...after])),
    );
    if (packing.length >= stripsAtOnce) yield await (packing.shift() as Promise<Uint8Array>);
  }
  for (const packed of packing) yield await packed;
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** Deflate with a window of 32 KB, at no level in particular. */
const zlibHead = Uint8Array.of(0x78, 0x5e);
