import { colourTableBytes } from "@tintype/codecs/gif";
import type { Stripped } from "../stripped.ts";

/**
 * Application extensions (GIF89a, 26) that affect the rendering: the loop count under both identifiers, and the ICC
 * profile.
 */
const keptApplications = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);
const [extension, picture, trailer] = [0x21, 0x2c, 0x3b];
const [plainText, graphicControl, application] = [0x01, 0xf9, 0xff];

/**
 * Removes comments and texts (GIF89a, 24 and 25), other application extensions such as XMP, unknown extensions, and the
 * bytes after the trailer. A graphic control extension goes with the text that it is for (GIF89a, 23).
 */
export function stripGif(bytes: Uint8Array): Stripped {
  const afterColours = 13 + colourTableBytes(bytes[10] ?? 0);
  const parts: Uint8Array[] = [bytes.subarray(0, afterColours)];
  let at = afterColours;
  let control: Uint8Array[] = [];
  while (at < bytes.length && bytes[at] !== trailer) {
    if (bytes[at] === 0) {
      at += 1; // browsers skip zero bytes between blocks
      continue;
    }
    const start = at;
    const label = bytes[at + 1];
    if (bytes[at] === extension) at = blocksEnd(bytes, at + 2);
    else if (bytes[at] === picture) at = blocksEnd(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0));
    else break; // not a block introducer: decoders stop here
    const name = String.fromCharCode(...bytes.subarray(start + 3, start + 14));
    const block = bytes.subarray(start, at);
    if (bytes[start] === picture) parts.push(...control, block);
    else if (label === application && keptApplications.has(name)) parts.push(block);
    if (bytes[start] === picture || label === plainText) control = [];
    if (bytes[start] === extension && label === graphicControl) control = [block];
  }
  parts.push(Uint8Array.of(trailer));
  return { bytes: Buffer.concat(parts), notes: [] };
}

/** Skips data sub-blocks up to the block terminator (GIF89a, 15 and 16). */
function blocksEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return Math.min(at + 1, bytes.length);
}
