import { crc32 } from "node:zlib";
import type { InputFormat } from "@tintype/contract";
import { pngChunk } from "./png/container.ts";

/**
 * A PNG or GIF that was coded with loss is marked with its quality. A second loss would often save bytes again (36 % of a drawing), and
 * the picture would get worse each time: at the same quality or a higher one it stays as it is. The mark has a checksum (CRC-32) of the
 * rest of the file: what another program changed is no longer marked.
 */
export type MarkedFormat = keyof typeof marks;

const marks = {
  /** Before IEND, a private chunk that is unsafe to copy (PNG, third edition, 5.4). */
  png: {
    endBytes: 12,
    headBytes: 8,
    wrap: (data: Uint8Array): Uint8Array => pngChunk("qlTY", data),
  },
  /** Before the trailer, a comment extension (GIF89a, section 24). */
  gif: {
    endBytes: 1,
    headBytes: 3,
    wrap: (data: Uint8Array): Uint8Array => Uint8Array.of(0x21, 0xfe, data.length, ...data, 0),
  },
} as const;

const dataBytes = 5;

export const isMarked = (format: InputFormat): format is MarkedFormat => Object.hasOwn(marks, format);

/** @param bytes a whole file without metadata, and without bytes after its end */
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
 * The mark of a file, and the file without it. It is valid if `checksum` is that of the file without its metadata, which may have been
 * added since.
 */
export function lossMarkOf(
  bytes: Uint8Array,
  format: MarkedFormat,
): { quality: number; checksum: number; unmarked: Uint8Array } | undefined {
  const { endBytes, headBytes, wrap } = marks[format];
  const end = bytes.length - endBytes;
  const start = end - wrap(new Uint8Array(dataBytes)).length;
  if (start < 0) return undefined;
  const data = Buffer.from(bytes.subarray(start + headBytes, start + headBytes + dataBytes));
  if (!Buffer.from(wrap(data)).equals(bytes.subarray(start, end))) return undefined;
  const unmarked = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  return { quality: data.readUInt8(), checksum: data.readUInt32BE(1), unmarked };
}
