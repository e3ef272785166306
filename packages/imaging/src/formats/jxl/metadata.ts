import { readBoxes } from "../heif/boxes.ts";
import type { Stripped } from "../stripped.ts";

/**
 * ISO/IEC 18181-2: the signature, the file type, the level, the frame index and the codestream. No other box affects
 * the picture.
 */
const keptTypes = ["JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp"];

/** A bare codestream has no metadata. */
export function stripJxl(bytes: Uint8Array): Stripped {
  if (bytes[0] === 0xff) return { bytes, notes: [] };
  const kept = readBoxes(bytes, 0, bytes.length).filter(({ type }) => keptTypes.includes(type));
  return { bytes: Buffer.concat(kept.map(({ start, end }) => bytes.subarray(start, end))), notes: [] };
}
