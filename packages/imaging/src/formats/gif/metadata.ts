import type { Stripped } from "../stripped.ts";

/**
 * Application extensions (GIF89a, 26) that affect the rendering: the loop count under both identifiers, and the ICC
 * profile.
 */
const keptApplications = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);
const [extension, picture, trailer] = [0x21, 0x2c, 0x3b];
const [comment, application] = [0xfe, 0xff];

/**
 * Removes comment extensions (GIF89a, 24), other application extensions such as XMP, and the bytes after the trailer.
 */
export function stripGif(bytes: Uint8Array): Stripped {
  const afterColours = 13 + colourTableBytes(bytes[10] ?? 0);
  const parts: Uint8Array[] = [bytes.subarray(0, afterColours)];
  let at = afterColours;
  while (at < bytes.length && bytes[at] !== trailer) {
    const start = at;
    const label = bytes[at + 1];
    if (bytes[at] === extension) at = blocksEnd(bytes, at + 2);
    else if (bytes[at] === picture) at = blocksEnd(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0));
    else break; // not a block introducer: decoders stop here
    const name = String.fromCharCode(...bytes.subarray(start + 3, start + 14));
    const isDropped =
      bytes[start] === extension && (label === comment || (label === application && !keptApplications.has(name)));
    if (!isDropped) parts.push(bytes.subarray(start, at));
  }
  parts.push(Uint8Array.of(trailer));
  return { bytes: Buffer.concat(parts), notes: [] };
}

/** Bytes of a colour table, from the packed fields of a descriptor (GIF89a, 18 and 20). */
const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Skips data sub-blocks up to the block terminator (GIF89a, 15 and 16). */
function blocksEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return Math.min(at + 1, bytes.length);
}
