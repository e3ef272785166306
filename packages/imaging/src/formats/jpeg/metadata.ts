import { exifOrientation, orientationExif } from "../exif.ts";
import type { Stripped } from "../stripped.ts";

/**
 * Removes the APPn and COM segments (ITU-T T.81, B.2.4.6 and B.2.4.5) of a JPEG, except those that decoding needs: JFIF
 * APP0 without its thumbnail, the ICC profile in APP2, Adobe's APP14 (the colour transform). An EXIF orientation other
 * than 1 is rewritten into an APP1 of its own. Data after EOI (previews, a video, a gain map) is removed too: it has
 * its own metadata.
 */
export function stripJpeg(bytes: Uint8Array): Stripped {
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  const later: Uint8Array[] = [];
  let orientation = 1;
  let hasEnd = false;
  for (let at = 2; at < bytes.length; ) {
    const segment = segmentAt(bytes, at);
    if (!segment) {
      at = scanEnd(bytes, at + 1); // like decoders, resynchronize at the next marker
      continue;
    }
    const { marker, data } = segment;
    const whole = bytes.subarray(at, segment.end);
    if (marker === 0xe1 && startsWith(data, "Exif\0\0") && orientation === 1)
      orientation = exifOrientation(data.subarray(6));
    if (marker === 0xe0 && startsWith(data, "JFIF\0")) parts.push(withoutThumbnail(data));
    else if (!isApplicationData(marker) || isNeeded(marker, data)) later.push(whole);
    at = segment.end;
    if (marker === 0xd9) {
      hasEnd = true;
      break;
    }
  }
  if (orientation !== 1) parts.push(exifSegment(orientation)); // JFIF APP0 must follow SOI directly
  if (!hasEnd) later.push(Uint8Array.of(0xff, 0xd9)); // some cameras omit EOI
  return { bytes: Buffer.concat([...parts, ...later]), notes: [] };
}

/** JFIF APP0 (ITU-T T.871, 10.1): identifier, version, units and densities, with a thumbnail of 0 x 0. */
function withoutThumbnail(data: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(0xff, 0xe0, 0, 16), data.subarray(0, 12), Uint8Array.of(0, 0)]);
}

/** Whether a JPEG has an EXIF segment before its first scan, whatever the orientation in it. */
export function hasExifOrientation(bytes: Uint8Array): boolean {
  for (let at = 2; at < bytes.length; ) {
    const segment = segmentAt(bytes, at);
    if (!segment || segment.marker === 0xda) return false;
    if (segment.marker === 0xe1 && startsWith(segment.data, "Exif\0\0")) return true;
    at = segment.end;
  }
  return false;
}

type Segment = { marker: number; data: Uint8Array; end: number };

/** A marker segment (ITU-T T.81, B.1.1.4). The end of an SOS segment is that of its entropy-coded data. */
export function segmentAt(bytes: Uint8Array, at: number): Segment | undefined {
  if (bytes[at] !== 0xff) return undefined;
  let start = at + 1;
  while (bytes[start] === 0xff) start++; // fill bytes (B.1.1.2)
  const marker = bytes[start];
  if (marker === undefined || marker === 0) return undefined;
  if (hasNoData(marker)) return { marker, data: bytes.subarray(start + 1, start + 1), end: start + 1 };
  const length = ((bytes[start + 1] ?? 0) << 8) | (bytes[start + 2] ?? 0);
  if (length < 2 || start + 1 + length > bytes.length) return undefined;
  const data = bytes.subarray(start + 3, start + 1 + length);
  const end = start + 1 + length;
  return { marker, data, end: marker === 0xda ? scanEnd(bytes, end) : end };
}

/** SOI, EOI, RSTm and TEM. */
const hasNoData = (marker: number) => (marker >= 0xd0 && marker <= 0xd9) || marker === 0x01;
const isApplicationData = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
const isNeeded = (marker: number, data: Uint8Array) =>
  (marker === 0xe2 && startsWith(data, "ICC_PROFILE\0")) || (marker === 0xee && startsWith(data, "Adobe"));

export const startsWith = (data: Uint8Array, text: string) =>
  [...text].every((character, i) => data[i] === character.charCodeAt(0));

/** The first marker other than RSTm. Entropy-coded data has X'00' stuffed after each X'FF' (ITU-T T.81, F.1.2.3). */
export function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** An APP1 segment of EXIF that has only an orientation. */
export function exifSegment(orientation: number): Uint8Array {
  const tiff = orientationExif(orientation);
  const length = 2 + 6 + tiff.length;
  return Buffer.concat([Uint8Array.of(0xff, 0xe1, length >> 8, length & 255), Buffer.from("Exif\0\0"), tiff]);
}
