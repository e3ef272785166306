import { readGif } from "@tintype/codecs/gif";
import type { Note } from "@tintype/contract";

/** Browsers play a delay of at most 10 ms as 100, in every format. */
const ignoredUpToMs = 10;
/** The shortest delay that they honour, and the longest of 16 bits; hundredths of a second. */
const [minCs, maxCs] = [2, 0xffff];
/** A graphic control extension (GIF89a, 23) directly before its picture: eight bytes, the delay at the fourth. */
const control = { bytes: 8, delayAt: 4 };

export const slowedDown: Note = { code: "short-frames-slowed" };

/**
 * Delays in ms as hundredths of a second. What rounding takes from one frame is given to the next, so that the total
 * stays. `isSlower`: frames shorter than browsers honour made it longer.
 */
export function delaysInCs(delaysMs: readonly number[]): { delaysCs: number[]; isSlower: boolean } {
  let carriedCs = 0;
  const delaysCs = delaysMs.map((delayMs) => {
    if (delayMs <= ignoredUpToMs) return Math.round(delayMs / 10);
    const exact = delayMs / 10 + carriedCs;
    const cs = Math.min(maxCs, Math.max(minCs, Math.round(exact)));
    carriedCs = Math.max(-maxCs, exact - cs);
    return cs;
  });
  return { delaysCs, isSlower: carriedCs < -1 };
}

/** The GIF that libvips wrote, with these delays, which it would cut to hundredths of a second each on its own. */
export function withDelays(gif: Buffer, delaysMs: readonly number[]): { bytes: Buffer; notes: Note[] } {
  const { frames } = readGif(gif);
  if (frames.length !== delaysMs.length || frames.length < 2) return { bytes: gif, notes: [] };
  const { delaysCs, isSlower } = delaysInCs(delaysMs);
  const bytes = Buffer.from(gif);
  for (const [i, { descriptorOffset }] of frames.entries()) {
    const at = descriptorOffset - control.bytes;
    if (bytes[at] === 0x21 && bytes[at + 1] === 0xf9) bytes.writeUInt16LE(delaysCs[i] ?? 0, at + control.delayAt);
  }
  return { bytes, notes: isSlower ? [slowedDown] : [] };
}
