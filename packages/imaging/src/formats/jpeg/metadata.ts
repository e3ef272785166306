import { allSegments, endOfImage, exifMark, headerSegments, markers, writeSegment } from "@tintype/codecs/jpeg";
import { exifOrientation } from "@tintype/contract";
import { orientationExif } from "../exif.ts";
import type { Stripped } from "../stripped.ts";
import { withDefinedHeight } from "./defined-height.ts";

/**
 * Removes the APPn and COM segments (ITU-T T.81, B.2.4.6 and B.2.4.5) of a JPEG, except those that decoding needs: JFIF
 * APP0 without its thumbnail, the ICC profile in APP2, Adobe's APP14 (the colour transform). An EXIF orientation other
 * than 1 is rewritten into an APP1 of its own. Data after EOI (previews, a video, a gain map) is removed too: it has
 * its own metadata.
 */
export function stripJpeg(stored: Uint8Array): Stripped {
  const bytes = withDefinedHeight(stored) ?? stored;
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  const later: Uint8Array[] = [];
  const orientation = jpegOrientation(bytes);
  let hasEnd = false;
  for (const { marker, data, start, end } of allSegments(bytes)) {
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

/** The EXIF of the first such segment before the first scan: like browsers and libvips, nothing reads a second one. */
export function firstExif(bytes: Uint8Array): Uint8Array | undefined {
  for (const { marker, data } of headerSegments(bytes))
    if (marker === markers.app1 && startsWith(data, exifMark)) return data.subarray(exifMark.length);
  return undefined;
}

/** The EXIF orientation, 1 without EXIF. */
export function jpegOrientation(bytes: Uint8Array): number {
  const exif = firstExif(bytes);
  return exif ? exifOrientation(exif) : 1;
}

/** The JPEG with no other EXIF than this orientation. */
export function withOnlyOrientation(bytes: Uint8Array, orientation: number): Buffer {
  const parts: Uint8Array[] = [bytes.subarray(0, 2), exifSegment(orientation)];
  let at = 2;
  for (const { marker, data, start, end } of headerSegments(bytes)) {
    if (marker !== markers.app1 || !startsWith(data, exifMark)) continue;
    parts.push(bytes.subarray(at, start));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
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
