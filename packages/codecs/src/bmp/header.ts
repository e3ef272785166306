import { CodecError } from "../error.ts";

/** The encoding of the pixels. "none": uncompressed rows, with or without bit fields. */
type BmpPacking = "none" | "rle4" | "rle8" | "rle24" | "jpeg" | "png";
/** The bit mask of each channel; 0 if the channel is absent. */
export type BmpMasks = { red: number; green: number; blue: number; alpha: number };

/** The header of a BMP, with impossible values corrected. Offsets count bytes from the start of the file. */
export type BmpHeader = {
  width: number;
  height: number;
  /** Rows are top-down; otherwise the first row of the file is the bottom one. */
  isTopDown: boolean;
  bitsPerPixel: 1 | 2 | 4 | 8 | 16 | 24 | 32 | 64;
  packing: BmpPacking;
  /** For 16 and 32 bits per pixel. */
  masks: BmpMasks | undefined;
  palette: { offset: number; entrySize: 3 | 4; count: number };
  pixelsOffset: number;
  /** An embedded ICC profile (version 5 headers). */
  profile: { offset: number; length: number } | undefined;
};

/** `readBmpHeader` reads at most this many bytes of the file. */
export const bmpHeaderBytes = 14 + 14 + 124 + 16;

/**
 * Header sizes of the OS/2 1.x core header, and of Windows 3 and its successors. Any other size up to 64 is OS/2 2.x.
 */
const core = 12;
const windowsSizes = [40, 52, 56, 108, 124];

/**
 * Reads the headers of a BMP, or of the first picture of an OS/2 bitmap array. Fields that decoding does not need
 * (planes, sizes of file and image, density) may be wrong, as they are in many real files.
 * @throws damaged for an invalid size, depth or compression, unsupported for Huffman 1D
 */
export function readBmpHeader(bytes: Uint8Array): BmpHeader {
  const start = bytes[0] === 0x42 && bytes[1] === 0x41 ? 14 : 0; // "BA": an OS/2 bitmap array header precedes the first "BM"
  const view = new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, bmpHeaderBytes));
  if (view.byteLength < start + 14 + core) broken("The file ends in its header.");
  const info = start + 14;
  const headerSize = view.getUint32(info, true);
  if (headerSize !== core && !windowsSizes.includes(headerSize) && !(headerSize >= 16 && headerSize <= 64))
    broken(`Its header claims ${headerSize} bytes, which no kind of BMP has.`);
  if (view.byteLength < info + headerSize) broken("The file ends in its header.");
  const isOs2 = headerSize !== core && !windowsSizes.includes(headerSize);
  /** A field of the longer headers; 0 if the header ends before it. */
  const field = (offset: number) => (offset + 4 <= headerSize ? view.getUint32(info + offset, true) : 0);

  const [width, storedHeight] =
    headerSize === core
      ? [view.getUint16(info + 4, true), view.getUint16(info + 6, true)]
      : [view.getInt32(info + 4, true), view.getInt32(info + 8, true)];
  if (width <= 0 || storedHeight === 0) broken("Its header gives no size.");
  const depth = view.getUint16(info + (headerSize === core ? 10 : 14), true);
  const compression = field(16);
  const packing = packingOf({ compression, depth, headerSize, isOs2 });
  const bitsPerPixel = packing === "jpeg" || packing === "png" ? 24 : knownDepth(depth); // for these, biBitCount is 0

  const masks = masksOf({ view, info, headerSize, bitsPerPixel, hasFields: !isOs2 && [3, 6].includes(compression) });
  const afterHeader = info + headerSize + trailingMasks({ headerSize, compression });
  const entrySize = headerSize === core ? 3 : 4;
  const { count, pixelsOffset } = layOut({
    afterHeader,
    entrySize,
    bitsPerPixel,
    claimedOffset: view.getUint32(start + 10, true),
    claimedColours: field(32),
  });
  return {
    width,
    height: Math.abs(storedHeight),
    isTopDown: storedHeight < 0,
    bitsPerPixel,
    packing,
    masks,
    palette: { offset: afterHeader, entrySize, count },
    pixelsOffset,
    profile: field(56) === 0x4d424544 ? { offset: info + field(112), length: field(116) } : undefined, // "MBED"
  };
}

function knownDepth(bits: number): BmpHeader["bitsPerPixel"] {
  const known = ([1, 2, 4, 8, 16, 24, 32, 64] as const).find((depth) => depth === bits);
  return known ?? broken(`It claims ${bits} bits a pixel.`);
}

type PackingFacts = { compression: number; depth: number; headerSize: number; isOs2: boolean };

/** Windows and OS/2 use the same numbers: 3 is bit fields or Huffman 1D, 4 is JPEG or RLE24. */
function packingOf({ compression, depth, headerSize, isOs2 }: PackingFacts): BmpPacking {
  if (compression === 0) return "none";
  if (compression === 1 && depth === 8) return "rle8";
  if (compression === 2 && depth === 4) return "rle4";
  if (compression === 3 && (isOs2 || depth === 1))
    throw new CodecError("unsupported", { fault: { code: "bmp-huffman" } });
  if (compression === 3 || compression === 6) return "none";
  // OS/2 writes 40-byte headers too. In a Windows header, BI_JPEG has a bit depth of 0.
  if (compression === 4) return depth === 24 && (isOs2 || headerSize === 40) ? "rle24" : "jpeg";
  if (compression === 5) return "png";
  return broken(`Its packing (${compression}, ${depth} bits a pixel) is none a BMP has.`);
}

/** The bit fields after a 40-byte header: three masks, or four with BI_ALPHABITFIELDS. Longer headers contain them. */
function trailingMasks({ headerSize, compression }: { headerSize: number; compression: number }): number {
  if (headerSize !== 40) return 0;
  return compression === 3 ? 12 : compression === 6 ? 16 : 0;
}

type MaskFacts = { view: DataView; info: number; headerSize: number; bitsPerPixel: number; hasFields: boolean };

function masksOf({ view, info, headerSize, bitsPerPixel, hasFields }: MaskFacts): BmpMasks | undefined {
  if (bitsPerPixel !== 16 && bitsPerPixel !== 32) return undefined;
  if (!hasFields)
    return bitsPerPixel === 16
      ? { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 }
      : { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, alpha: 0 };
  const withAlpha = headerSize >= 56 || (headerSize === 40 && view.getUint32(info + 16, true) === 6);
  const [red, green, blue, alpha] = [40, 44, 48, 52].map((offset, i) => {
    if (i === 3 && !withAlpha) return 0;
    if (info + offset + 4 > view.byteLength) broken("The file ends in its header.");
    return view.getUint32(info + offset, true);
  }) as [number, number, number, number]; // a map of four
  return { red, green, blue, alpha };
}

type LayoutFacts = {
  afterHeader: number;
  entrySize: number;
  bitsPerPixel: number;
  claimedOffset: number;
  claimedColours: number;
};

/**
 * The number of palette entries and the offset of the pixels. Real files have errors in both: the palette ends where
 * the pixels start, and a pixel offset that points into the headers is ignored.
 */
function layOut({ afterHeader, entrySize, bitsPerPixel, claimedOffset, claimedColours }: LayoutFacts) {
  const full = bitsPerPixel <= 8 ? 2 ** bitsPerPixel : 0;
  const isOffsetSane = claimedOffset >= afterHeader;
  const colours = isOffsetSane || claimedColours <= 256 ? claimedColours || full : full;
  const entries = isOffsetSane ? Math.floor((claimedOffset - afterHeader) / entrySize) : colours;
  return {
    count: Math.min(colours, entries, full),
    pixelsOffset: isOffsetSane ? claimedOffset : afterHeader + colours * entrySize,
  };
}

/** @throws damaged always; `cause` goes to the log */
export function broken(cause: string): never {
  throw new CodecError("damaged", { cause: `BMP: ${cause}` });
}

/** 256 entries of R, G, B, black beyond the file's own; `isGrey` if all of the file's entries are grey. */
export type BmpPalette = { colours: Uint8Array; isGrey: boolean };

export function readPalette(bytes: Uint8Array, { palette: { offset, entrySize, count } }: BmpHeader): BmpPalette {
  const colours = new Uint8Array(256 * 3);
  let isGrey = true;
  for (let i = 0; i < count; i++) {
    const at = offset + i * entrySize;
    const [blue = 0, green = 0, red = 0] = bytes.subarray(at, at + 3);
    colours.set([red, green, blue], i * 3);
    if (red !== green || green !== blue) isGrey = false;
  }
  return { colours, isGrey };
}
