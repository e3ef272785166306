import { exifOrientation, orientationExif } from "../exif.ts";
import type { Stripped } from "../stripped.ts";
import { allSegments, endOfImage, exifMark, headerSegments, markers, writeSegment } from "./segments.ts";

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
  for (const { marker, data, start, end } of allSegments(bytes)) {
    if (marker === markers.app1 && startsWith(data, exifMark) && orientation === 1)
      orientation = exifOrientation(data.subarray(exifMark.length));
    if (marker === markers.app0 && startsWith(data, "JFIF\0")) parts.push(withoutThumbnail(data));
    else if (!isApplicationData(marker) || isNeeded(marker, data)) later.push(bytes.subarray(start, end));
    hasEnd = marker === markers.eoi;
    if (hasEnd) break;
  }
  if (orientation !== 1) parts.push(exifSegment(orientation)); // JFIF APP0 must follow SOI directly
  if (!hasEnd) later.push(endOfImage); // some cameras omit EOI
  return { bytes: Buffer.concat([...parts, ...later]), notes: [] };
}

/** JFIF APP0 (ITU-T T.871, 10.1): identifier, version, units and densities, with a thumbnail of 0 x 0. */
function withoutThumbnail(data: Uint8Array): Uint8Array {
  return writeSegment(markers.app0, Buffer.concat([data.subarray(0, 12), Uint8Array.of(0, 0)]));
}

/** Whether a JPEG has an EXIF segment before its first scan, whatever the orientation in it. */
export function hasExifOrientation(bytes: Uint8Array): boolean {
  for (const { marker, data } of headerSegments(bytes))
    if (marker === markers.app1 && startsWith(data, exifMark)) return true;
  return false;
}

const isApplicationData = (marker: number) =>
  (marker >= markers.app0 && marker <= markers.app15) || marker === markers.com;
const isNeeded = (marker: number, data: Uint8Array) =>
  (marker === markers.app2 && startsWith(data, "ICC_PROFILE\0")) ||
  (marker === markers.app14 && startsWith(data, "Adobe"));

export const startsWith = (data: Uint8Array, text: string) =>
  [...text].every((character, i) => data[i] === character.charCodeAt(0));

/** An APP1 segment of EXIF that has only an orientation. */
export const exifSegment = (orientation: number): Uint8Array =>
  writeSegment(markers.app1, Buffer.concat([Buffer.from(exifMark), orientationExif(orientation)]));
