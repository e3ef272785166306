import { crc32 } from "node:zlib";
import type { InputFormat } from "@tintype/contract";
import { pngChunk } from "./png/chunk.ts";

/**
 * A PNG or GIF that was coded with loss says for which quality. A second loss would often save bytes once more (36 % of a drawing), and the
 * picture would get a little worse each time: at the same quality or a higher one it stays as it is. The checksum is of the rest of the
 * file, so what another program changed is no longer marked.
 */
export type MarkedFormat = keyof typeof marks;

const marks = {
  /** Before IEND, a private chunk that is unsafe to copy (PNG, third edition, 5.4). */
  png: {
    ...{ endBytes: 12, headBytes: 8 },
    wrap: (data: Uint8Array): Uint8Array => pngChunk("qlTY", data),
  },
  /** Before the trailer, a comment extension (GIF89a, section 24). */
  gif: {
    ...{ endBytes: 1, headBytes: 3 },
    wrap: (data: Uint8Array): Uint8Array => Uint8Array.of(0x21, 0xfe, data.length, ...data, 0),
  },
} as const;

const dataBytes = 5;

export const isMarked = (format: InputFormat): format is MarkedFormat => Object.hasOwn(marks, format);

/** @param bytes a whole file without bytes after its end */
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

/** The quality that the picture was coded for with loss, and the picture without the mark; undefined without a mark of this very file. */
export function lossMarkOf(bytes: Uint8Array, format: MarkedFormat): { quality: number; bare: Uint8Array } | undefined {
  const { endBytes, headBytes, wrap } = marks[format];
  const markBytes = wrap(new Uint8Array(dataBytes)).length;
  const [start, end] = [bytes.length - endBytes - markBytes, bytes.length - endBytes];
  if (start < 0) return undefined;
  const bare = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  const quality = bytes[start + headBytes] ?? 0;
  return withLossMark(bare, { format, quality }).equals(bytes) ? { quality, bare } : undefined;
}
