import { crc32 } from "node:zlib";
import type { InputFormat } from "@tintype/contract";
import { pngChunk } from "./png/container.ts";

/**
 * A lossy PNG or GIF is marked with its quality, so that it is not made lossy again at the same or a higher quality. A
 * second lossy encoding would often save bytes again (36 % of a drawing) while the picture degrades each time. The mark
 * holds a CRC-32 of the rest of the file: a file that another program changed no longer counts as marked.
 */
export type MarkedFormat = keyof typeof marks;

const marks = {
  /** A private, unsafe-to-copy chunk before IEND (PNG, third edition, 5.4). */
  png: {
    endBytes: 12,
    headBytes: 8,
    wrap: (data: Uint8Array): Uint8Array => pngChunk("qlTY", data),
  },
  /** A comment extension before the trailer (GIF89a, 24). */
  gif: {
    endBytes: 1,
    headBytes: 3,
    wrap: (data: Uint8Array): Uint8Array => Uint8Array.of(0x21, 0xfe, data.length, ...data, 0),
  },
} as const;

const dataBytes = 5;

/** The bytes of a mark; 0 for a format without one. */
export const markBytes = (format: InputFormat): number =>
  isMarked(format) ? marks[format].wrap(new Uint8Array(dataBytes)).length : 0;

export const isMarked = (format: InputFormat): format is MarkedFormat => Object.hasOwn(marks, format);

/** @param bytes a whole file without metadata or trailing data */
export function withLossMark(
  bytes: Uint8Array,
  { format, quality }: { format: MarkedFormat; quality: number },
): Buffer {
  const { endBytes, wrap } = marks[format];
  const end = bytes.length - endBytes;
  const data = Buffer.alloc(dataBytes);
  data[0] = quality;
  data.writeUInt32BE(crc32(bytes), 1);
  return Buffer.concat([bytes.subarray(0, end), wrap(data), bytes.subarray(end)]);
}

/**
 * Reads the mark of a file. `unmarked`: the file without it. The mark is valid if `checksum` is that of `unmarked`
 * without metadata, which may have been added since.
 */
export function lossMarkOf(
  bytes: Uint8Array,
  format: MarkedFormat,
): { quality: number; checksum: number; unmarked: Uint8Array } | undefined {
  const { endBytes, headBytes, wrap } = marks[format];
  const end = bytes.length - endBytes;
  const start = end - markBytes(format);
  if (start < 0) return undefined;
  const data = Buffer.from(bytes.subarray(start + headBytes, start + headBytes + dataBytes));
  if (!Buffer.from(wrap(data)).equals(bytes.subarray(start, end))) return undefined;
  const unmarked = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  return { quality: data.readUInt8(), checksum: data.readUInt32BE(1), unmarked };
}
