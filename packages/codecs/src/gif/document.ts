import { CodecError, type GifFault } from "../error.ts";
import type { Rectangle } from "../raster/raster.ts";

/**
 * The disposal method (GIF89a, 23): "keep" is 0 and 1; "clear" is 2, restore to background; "restore" is 3, to
 * previous.
 */
export type Disposal = "keep" | "clear" | "restore";

/** An image descriptor (GIF89a, 20) with its graphic control extension (23); image data not decoded. */
export type GifFrame = {
  /** As in the file; it may exceed the logical screen. */
  rectangle: Rectangle;
  isInterlaced: boolean;
  /** The local or global colour table as packed colours (see `packColour`). */
  palette: Uint32Array;
  /** -1 if the transparent colour flag is not set. */
  transparentIndex: number;
  disposal: Disposal;
  /** Hundredths of a second. */
  delayCs: number;
  /** Offsets of the image descriptor, of the image data (its LZW minimum code size), and after the block terminator. */
  descriptorOffset: number;
  dataOffset: number;
  endOffset: number;
};

/** A parsed GIF file, its frames still compressed. */
export type GifDocument = {
  bytes: Uint8Array;
  width: number;
  height: number;
  /** 0 loops forever; undefined plays once. */
  loopCount: number | undefined;
  globalPalette: Uint32Array;
  /** The whole application extension of an ICC profile. */
  profile: Uint8Array | undefined;
  frames: GifFrame[];
};

/** A pixel as a word: in memory R, G, B, 255 on the little-endian machines we run on. 0 is transparent. */
const packColour = (red: number, green: number, blue: number): number =>
  ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

const broken = (fault: GifFault) => new CodecError("damaged", { fault: { code: "gif-damaged", fault } });

/** Whether `readGif` refused a file that ends within a block. */
export const isCutOff = ({ fault }: CodecError): boolean => fault?.code === "gif-damaged" && fault.fault === "cut-off";

const blockTypes = { extension: 0x21, picture: 0x2c, trailer: 0x3b } as const;
const labels = { control: 0xf9, application: 0xff } as const;

/**
 * Parses a GIF file (GIF89a, 17 to 27). Like browsers, it tolerates a missing trailer, data after the trailer, unknown
 * extensions, zero bytes between blocks, and frames that exceed the logical screen. It skips comment and plain text
 * extensions and metadata.
 * @throws damaged when the file is truncated inside a block, has no frame, or has a frame without a colour table
 * @throws too-large when it claims more than 268 megapixels, or 100,000 frames
 */
export function readGif(bytes: Uint8Array): GifDocument {
  const signature = String.fromCharCode(...bytes.subarray(0, 6));
  if (signature !== "GIF87a" && signature !== "GIF89a") throw broken("bad-signature");
  if (bytes.length < 13) throw broken("cut-off-header");
  const tableBytes = colourTableBytes(byteAt(bytes, 10));
  const document: GifDocument = {
    bytes,
    width: wordAt(bytes, 6),
    height: wordAt(bytes, 8),
    loopCount: undefined,
    globalPalette: readPalette(bytes, 13, tableBytes / 3),
    profile: undefined,
    frames: [],
  };
  readBlocks(document, 13 + tableBytes);
  const first = document.frames[0];
  if (!first) throw broken("no-frame");
  // Encoders that write a logical screen of size 0 mean the first frame's size. Browsers enlarge the logical screen to
  // contain the first frame.
  const { left, top, width, height } = first.rectangle;
  const isEmpty = document.width === 0 || document.height === 0;
  if (isEmpty) Object.assign(document, { width, height });
  else if (width * height <= document.width * document.height + outsideAllowance) {
    document.width = Math.max(document.width, left + width);
    document.height = Math.max(document.height, top + height);
  }
  if (document.width === 0 || document.height === 0) throw broken("no-pixels");
  if (document.width * document.height > maximumPixels) throw new CodecError("too-large");
  return document;
}

/** px and frames. Independent of the caller's limits: a header of ten bytes can claim 17 GB. */
const maximumPixels = 1 << 28;
const maximumFrames = 100_000;
/** px that a frame may exceed the canvas by: a few bytes can claim a frame of four billion pixels. */
export const outsideAllowance = 1 << 20;

type Control = Pick<GifFrame, "disposal" | "delayCs" | "transparentIndex">;
const noControl: Control = { disposal: "keep", delayCs: 0, transparentIndex: -1 };

function readBlocks(document: GifDocument, start: number): void {
  const { bytes } = document;
  let control = noControl;
  let offset = start;
  while (offset < bytes.length) {
    const type = byteAt(bytes, offset);
    if (type === blockTypes.trailer) return;
    if (type === blockTypes.picture) {
      const frame = readFrame(document, offset, control);
      document.frames.push(frame);
      if (document.frames.length > maximumFrames) throw new CodecError("too-large");
      control = noControl;
      offset = frame.endOffset;
    } else if (type === blockTypes.extension) {
      const label = byteAt(bytes, offset + 1);
      const end = skipSubBlocks(bytes, offset + 2);
      if (label === labels.control) control = readControl(bytes, offset + 2);
      if (label === labels.application) readApplication(document, offset, end);
      offset = end;
    } else if (type === 0) offset += 1;
    else throw broken("unknown-block");
  }
}

function readControl(bytes: Uint8Array, offset: number): Control {
  const length = byteAt(bytes, offset);
  if (length < 4) return noControl;
  const flags = byteAt(bytes, offset + 1);
  const method = (flags >> 2) & 7;
  return {
    // Some old encoders wrote 4 for "restore to previous"; decoders accept it.
    disposal: method === 2 ? "clear" : method === 3 || method === 4 ? "restore" : "keep",
    delayCs: wordAt(bytes, offset + 2),
    transparentIndex: (flags & 1) !== 0 ? byteAt(bytes, offset + 4) : -1,
  };
}

/**
 * Application extensions (GIF89a, 26): the loop count of NETSCAPE2.0 or ANIMEXTS1.0, and the ICC profile. All others
 * are metadata.
 */
function readApplication(document: GifDocument, start: number, end: number): void {
  const { bytes } = document;
  const name = String.fromCharCode(...bytes.subarray(start + 3, start + 3 + byteAt(bytes, start + 2)));
  if (name === "ICCRGBG1012") document.profile = bytes.subarray(start, end);
  if (name !== "NETSCAPE2.0" && name !== "ANIMEXTS1.0") return;
  for (let offset = start + 14; byteAt(bytes, offset) !== 0; offset += byteAt(bytes, offset) + 1)
    if (byteAt(bytes, offset) >= 3 && (byteAt(bytes, offset + 1) & 7) === 1)
      document.loopCount = wordAt(bytes, offset + 2);
}

function readFrame({ bytes, globalPalette }: GifDocument, start: number, control: Control): GifFrame {
  const flags = byteAt(bytes, start + 9);
  const tableBytes = colourTableBytes(flags);
  const palette = tableBytes > 0 ? readPalette(bytes, start + 10, tableBytes / 3) : globalPalette;
  if (palette.length === 0) throw broken("no-palette");
  const dataOffset = start + 10 + tableBytes;
  return {
    ...control,
    rectangle: {
      left: wordAt(bytes, start + 1),
      top: wordAt(bytes, start + 3),
      width: wordAt(bytes, start + 5),
      height: wordAt(bytes, start + 7),
    },
    isInterlaced: (flags & 0x40) !== 0,
    palette,
    descriptorOffset: start,
    dataOffset,
    endOffset: skipSubBlocks(bytes, dataOffset + 1),
  };
}

/** Bytes of a colour table, from the packed fields of a descriptor (GIF89a, 18 and 20). */
export const colourTableBytes = (flags: number): number => (flags & 0x80 ? 3 * (2 << (flags & 7)) : 0);

function readPalette(bytes: Uint8Array, offset: number, size: number): Uint32Array {
  const palette = new Uint32Array(size);
  for (let index = 0; index < size; index++) {
    const at = offset + index * 3;
    palette[index] = packColour(byteAt(bytes, at), byteAt(bytes, at + 1), byteAt(bytes, at + 2));
  }
  return palette;
}

function skipSubBlocks(bytes: Uint8Array, start: number): number {
  let offset = start;
  for (let size = byteAt(bytes, offset); size !== 0; size = byteAt(bytes, offset)) offset += size + 1;
  return offset + 1;
}

function byteAt(bytes: Uint8Array, offset: number): number {
  const value = bytes[offset];
  if (value === undefined) throw broken("cut-off");
  return value;
}

const wordAt = (bytes: Uint8Array, offset: number): number => byteAt(bytes, offset) | (byteAt(bytes, offset + 1) << 8);
