import type { Stripped } from "../stripped.ts";

/** A BMP stores one kind of metadata: a version 5 header may name a profile by its path on the writer's disk. */
export function stripBmp(bytes: Uint8Array): Stripped {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isVersion5 = bytes.length >= 138 && view.getUint32(14, true) === 124;
  if (!isVersion5 || view.getUint32(70, true) !== 0x4c494e4b) return { bytes, notes: [] }; // "LINK"
  const copy = Uint8Array.from(bytes);
  const target = new DataView(copy.buffer);
  const start = 14 + view.getUint32(126, true);
  copy.fill(0, start, start + view.getUint32(130, true));
  target.setUint32(70, 0x73524742, true); // "sRGB"
  target.setUint32(126, 0, true);
  target.setUint32(130, 0, true);
  return { bytes: copy, notes: [] };
}
