import { exifOrientation, type InputFormat } from "@tintype/contract";

const exifMark = "Exif\0\0";

/**
 * The orientation by which the server and browsers turn a picture, 1 to 8, from the file's first bytes: that of the first
 * EXIF block before the pixels of a JPEG or a PNG, and of a TIFF's first page. Nothing turns a WebP.
 */
export function orientationIn(bytes: Uint8Array, format: InputFormat): number {
  const exif = format === "tiff" ? bytes : format === "jpeg" ? exifOfJpeg(bytes) : format === "png" && exifOfPng(bytes);
  return exif ? exifOrientation(exif) : 1;
}

const text = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** In an APP1 segment before the first scan (ITU-T T.81, B.1.1.4). */
function exifOfJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const [app1, startOfScan] = [0xe1, 0xda];
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    const end = at + 2 + ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0);
    if (marker === startOfScan || end < at + 4) return undefined;
    if (marker === app1 && text(bytes, at + 4, exifMark.length) === exifMark)
      return bytes.subarray(at + 4 + exifMark.length, end);
    at = end;
  }
  return undefined;
}

/** In an eXIf chunk before the pixels (PNG, third edition, 5.3). */
function exifOfPng(bytes: Uint8Array): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = text(bytes, at + 4, 4);
    if (type === "eXIf") return bytes.subarray(at + 8, at + 8 + view.getUint32(at));
    if (type === "IDAT") return undefined;
  }
  return undefined;
}
