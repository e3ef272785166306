import type { Stripped } from "../stripped.ts";

/** Application extensions (GIF89a, section 26) that affect how the picture looks: the loop count, under both its names, and a profile. */
const keptApplications = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);
const [extension, picture, trailer] = [0x21, 0x2c, 0x3b];
const [comment, application] = [0xfe, 0xff];

/** A GIF without comments, other application extensions (XMP) and the bytes after its trailer. */
export function stripGif(bytes: Uint8Array): Stripped {
  const afterColours = 13 + colourTableBytes(bytes[10] ?? 0);
  const parts: Uint8Array[] = [bytes.subarray(0, afterColours)];
  let at = afterColours;
  while (at < bytes.length && bytes[at] !== trailer) {
    const start = at;
    const label = bytes[at + 1];
    if (bytes[at] === extension) at = blocksEnd(bytes, at + 2);
    else if (bytes[at] === picture) at = blocksEnd(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0));
    else break; // no block: decoders stop here
    const name = String.fromCharCode(...bytes.subarray(start + 3, start + 14));
    const isDropped =
      bytes[start] === extension && (label === comment || (label === application && !keptApplications.has(name)));
    if (!isDropped) parts.push(bytes.subarray(start, at));
  }
  parts.push(Uint8Array.of(trailer));
  return { bytes: Buffer.concat(parts), notes: [] };
}

/** From the packed fields of a descriptor: a flag in the top bit, the size in the lowest three. */
const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Skips data sub-blocks up to the block terminator (GIF89a, 15 and 16). */
function blocksEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return Math.min(at + 1, bytes.length);
}
