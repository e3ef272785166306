import * as zlib from "node:zlib";
import { DomainError } from "@tintype/contract";

/** Values of Compression (TIFF 6.0, 8 and its supplements) that our decoder reads. */
export const compressions = {
  none: 1,
  lzw: 5,
  oldJpeg: 6,
  jpeg: 7,
  deflate: 8,
  packBits: 32_773,
  oldDeflate: 32_946,
  zstandard: 50_000,
} as const;

/** Whether `unpackSegment` supports the compression. JPEG is decoded elsewhere. */
export const isUnpacked = (compression: number): boolean => compression in unpackers;

/**
 * Decompresses a strip or tile: PackBits (TIFF 6.0, 9), LZW (13), Deflate and Zstandard (registered after TIFF 6.0).
 * @param sizeBytes the expected size; surplus bytes are dropped
 * @throws broken-image for corrupt data, or fewer bytes
 */
export function unpackSegment(
  packed: Uint8Array,
  { compression, sizeBytes }: { compression: number; sizeBytes: number },
): Uint8Array {
  const unpack = unpackers[compression];
  if (!unpack) throw new Error(`TIFF compression ${compression} is not unpacked here`);
  let bytes: Uint8Array;
  try {
    bytes = unpack(packed, sizeBytes);
  } catch (cause) {
    throw new DomainError("broken-image", { cause });
  }
  if (bytes.length < sizeBytes)
    throw new DomainError("broken-image", {
      cause: `TIFF: a strip or tile has ${bytes.length} of ${sizeBytes} bytes`,
    });
  return bytes.subarray(0, sizeBytes);
}

const inflate = (packed: Uint8Array, sizeBytes: number): Uint8Array =>
  // `maxOutputLength` against decompression bombs; the surplus is for writers that pad the last strip.
  zlib.inflateSync(packed, { maxOutputLength: sizeBytes + maxSurplusBytes });

/** Some writers pad the last strip to its full height. 64 MiB is more than any of them writes for a segment. */
const maxSurplusBytes = 2 ** 26;

const unpackers: Record<number, (packed: Uint8Array, sizeBytes: number) => Uint8Array> = {
  [compressions.none]: (packed) => packed,
  [compressions.lzw]: unpackLzw,
  [compressions.deflate]: inflate,
  [compressions.oldDeflate]: inflate,
  [compressions.packBits]: unpackBits,
  // The tools also run on Node.js 20, whose zlib lacks Zstandard: there such a TIFF is refused with the reason.
  ...("zstdDecompressSync" in zlib
    ? {
        [compressions.zstandard]: (packed: Uint8Array, sizeBytes: number) =>
          zlib.zstdDecompressSync(packed, { maxOutputLength: sizeBytes + maxSurplusBytes }),
      }
    : {}),
};

/** PackBits (TIFF 6.0, 9). */
function unpackBits(packed: Uint8Array, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  let to = 0;
  for (let at = 0; at < packed.length && to < sizeBytes; ) {
    const count = ((packed[at++] ?? 0) << 24) >> 24; // signed
    if (count >= 0) {
      const run = packed.subarray(at, Math.min(at + count + 1, at + sizeBytes - to));
      bytes.set(run, to);
      at += count + 1;
      to += run.length;
    } else if (count !== -128) {
      bytes.fill(packed[at++] ?? 0, to, to + 1 - count);
      to = Math.min(sizeBytes, to + 1 - count);
    }
  }
  return bytes.subarray(0, to);
}

const [clearCode, endCode, mostCodes] = [256, 257, 4096];

/** LZW (TIFF 6.0, 13): codes of 9 to 12 bits, most significant bit first; the code length grows one code early. */
function unpackLzw(packed: Uint8Array, sizeBytes: number): Uint8Array {
  if (packed[0] === 0 && ((packed[1] ?? 0) & 1) === 1) throw new RangeError("TIFF: LZW of the time before TIFF 5.0");
  const bytes = new Uint8Array(sizeBytes);
  // The string of a code is a range of the output.
  const starts = new Uint32Array(mostCodes);
  const lengths = new Uint16Array(mostCodes);
  let [to, next, width, bits, held] = [0, 258, 9, 0, 0];
  let earlier = -1;
  for (let at = 0; to < sizeBytes; ) {
    while (held < width && at < packed.length) {
      bits = ((bits << 8) | (packed[at++] ?? 0)) & 0xff_ffff;
      held += 8;
    }
    if (held < width) break;
    const code = (bits >> (held - width)) & ((1 << width) - 1);
    held -= width;
    if (code === endCode) break;
    if (code === clearCode) {
      [next, width, earlier] = [258, 9, -1];
      continue;
    }
    const start = to;
    if (code < clearCode) bytes[to++] = code;
    else {
      if (earlier < 0 || code > next) throw new RangeError("TIFF: an LZW code without meaning");
      // KwKwK case: the entry being added is the previous string and its own first byte.
      const [from, length] = code < next ? [starts[code] ?? 0, lengths[code] ?? 0] : [earlier, start - earlier + 1];
      for (let i = 0; i < length && to < sizeBytes; i++) bytes[to++] = bytes[from + i] ?? 0;
    }
    if (earlier >= 0 && next < mostCodes) {
      starts[next] = earlier;
      lengths[next] = start - earlier + 1;
      next += 1;
      if (next >= (1 << width) - 1 && width < 12) width += 1;
    }
    earlier = start;
  }
  return bytes.subarray(0, to);
}
