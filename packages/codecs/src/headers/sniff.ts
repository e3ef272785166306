import { splitProlog } from "./svg-prolog.ts";

/** The formats that `sniffFormat` tells apart. */
export type PictureFormat =
  | "jpeg"
  | "png"
  | "gif"
  | "webp"
  | "tiff"
  | "bmp"
  | "jxl"
  | "jp2"
  | "pdf"
  | "psd"
  | "ico"
  | "avif"
  | "heic"
  | "svg";

/**
 * Bytes from the start of a file that `sniffFormat` needs; fewer if the file is shorter. All formats but SVG are
 * recognized in the first hundred; an SVG's root can follow comments and entity declarations.
 */
export const sniffBytes = 16_384;

const ascii = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, Math.min(end, bytes.length)));
const startsWith = (bytes: Uint8Array, ...values: number[]) => values.every((value, i) => bytes[i] === value);

/**
 * The format by a file's signature; undefined if no decoder reads it. File names and media types are untrusted, and
 * ignored.
 */
export function sniffFormat(bytes: Uint8Array): PictureFormat | undefined {
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return "jpeg";
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "png";
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return "gif";
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") return "webp";
  if (/^(II[*+]\0|MM\0[*+])$/.test(ascii(bytes, 0, 4))) return "tiff";
  if (isBmp(bytes)) return "bmp";
  if (startsWith(bytes, 0xff, 0x0a) || ascii(bytes, 0, 12) === "\0\0\0\x0cJXL \r\n\x87\n") return "jxl";
  if (isJp2(bytes)) return "jp2";
  if (/^(\xef\xbb\xbf)?\s*%PDF-/.test(ascii(bytes, 0, 64))) return "pdf";
  if (["8BPS\0\x01", "8BPS\0\x02"].includes(ascii(bytes, 0, 6))) return "psd";
  if (isIcon(bytes)) return "ico";
  if (ascii(bytes, 4, 8) === "ftyp") return sniffHeif(bytes);
  return looksLikeSvg(bytes) ? "svg" : undefined;
}

/** ISO/IEC 15444-1, I.5.1 and A.4.1; not video (MJ2) or documents (JPM) in the same boxes. */
function isJp2(bytes: Uint8Array): boolean {
  if (startsWith(bytes, 0xff, 0x4f, 0xff, 0x51)) return true;
  return ascii(bytes, 0, 12) === "\0\0\0\x0cjP  \r\n\x87\n" && !["mjp2", "mj2s", "jpm "].includes(ascii(bytes, 20, 24));
}

/**
 * "BM" is too short a signature: the DIB header must also have a size in use (12 to 124 bytes). "BA" is an OS/2 bitmap
 * array, whose header of 14 bytes precedes the first bitmap.
 */
function isBmp(bytes: Uint8Array): boolean {
  const start = ascii(bytes, 0, 2) === "BA" ? 14 : 0;
  if (ascii(bytes, start, start + 2) !== "BM" || bytes.length < start + 18) return false;
  const headerSize = new DataView(bytes.buffer, bytes.byteOffset).getUint32(start + 14, true);
  return headerSize === 12 || (headerSize >= 16 && headerSize <= 124);
}

/**
 * The signature of four bytes is not specific: the first picture must also start after the directory, and have bytes.
 */
function isIcon(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, 0, 0, 1, 0) || bytes.length < 22) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const count = view.getUint16(4, true);
  return count > 0 && view.getUint32(14, true) > 0 && view.getUint32(18, true) >= 6 + 16 * count;
}

/**
 * HEIF (ISO/IEC 23008-12) by the brands of its ftyp box. Many files have a structural major brand: compatible
 * brands count too. If all are structural, an `av01` item in the header means AVIF.
 */
function sniffHeif(bytes: Uint8Array): PictureFormat | undefined {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, false);
  const brands = ascii(bytes, 8, Math.min(size, 512)).match(/[\s\S]{4}/g) ?? [];
  if (brands.some((brand) => /^avi[fs]$/.test(brand))) return "avif";
  if (brands.some((brand) => /^he(i[cmxs]|v[cmxs])$/.test(brand))) return "heic";
  if (!brands.some((brand) => /^(mif[12]|msf1|mia[fA]|miHE)$/.test(brand))) return undefined;
  return ascii(bytes, size, Math.min(bytes.length, 4096)).includes("av01") ? "avif" : "heic";
}

/** An `<svg` start tag after at most a byte order mark and an XML prolog. */
function looksLikeSvg(bytes: Uint8Array): boolean {
  const wide = startsWith(bytes, 0xff, 0xfe) ? "utf-16le" : startsWith(bytes, 0xfe, 0xff) ? "utf-16be" : "utf-8";
  const head = new TextDecoder(wide).decode(bytes.subarray(0, sniffBytes));
  return /^<(?:[a-z]+:)?svg[\s/>]/i.test(splitProlog(head).body);
}
