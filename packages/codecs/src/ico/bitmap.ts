import { decodeBmp } from "../bmp/decode.ts";
import { bmpHeaderBytes, readBmpHeader } from "../bmp/header.ts";
import { latin1Bytes } from "../bytes.ts";
import { hasAlpha, type Raster } from "../raster/raster.ts";
import { brokenIcon, type IconEntry } from "./directory.ts";

const fileHeaderBytes = 14;
/** BITMAPINFOHEADER, the only DIB header in icons. */
const infoHeaderBytes = 40;
/** BI_ALPHABITFIELDS: 32 bits with a mask for alpha too. */
const alphaBitFields = 6;
const masks = [0xff0000, 0xff00, 0xff, 0xff000000];

/**
 * Decodes an icon image stored as a BMP without its file header. Alpha comes from 32-bit pixels, or else from the 1-bit
 * AND mask after them.
 * @throws damaged
 */
export function decodeIconBitmap(entry: IconEntry): Raster<Uint8Array> {
  const { file, header, maskAt } = openBitmap(entry);
  const pixels = decodeBmp(file, header);
  if (hasAlpha(pixels.channels)) return pixels;
  // Some encoders omit the mask of 32-bit images.
  if (header.bitsPerPixel === 32 && maskAt === file.length) return pixels;
  return applyMask(pixels, file.subarray(maskAt));
}

/**
 * The bytes of an image, without any that follow its mask.
 * @throws damaged if the header is not valid for an icon
 */
export function trimIconBitmap(entry: Pick<IconEntry, "bytes" | "width" | "height">): Uint8Array {
  const { width, height, bytes } = entry;
  const { file, maskAt } = openBitmap(entry);
  const added = file.length - bytes.length;
  return bytes.subarray(0, maskAt - added + maskStride(width) * height);
}

/** The image as a BMP file, its header, and the offset of the mask. */
function openBitmap({ bytes, width, height }: Pick<IconEntry, "bytes" | "width" | "height">) {
  const file = asBmp(bytes, height);
  const header = readBmpHeader(file.subarray(0, bmpHeaderBytes));
  if (header.packing !== "none" || header.width !== width || header.height !== height)
    brokenIcon("Its picture is packed as none in an icon is.");
  const stride = Math.ceil((width * header.bitsPerPixel) / 32) * 4;
  return { file, header, maskAt: header.pixelsOffset + stride * height };
}

/** Bytes of a row of the 1-bit mask: whole words of 32 bits. */
const maskStride = (width: number): number => Math.ceil(width / 32) * 4;

/** The same image as a BMP file: with the height of the colour bitmap alone, and 32-bit pixels with alpha. */
function asBmp(bytes: Uint8Array, height: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [headerSize, bits, compression] = [view.getUint32(0, true), view.getUint16(14, true), view.getUint32(16, true)];
  if (headerSize !== infoHeaderBytes) brokenIcon(`Its picture has a header of ${headerSize} bytes.`);
  const gets = bits === 32 && compression === 0 ? masks.length * 4 : 0;
  const file = new Uint8Array(fileHeaderBytes + bytes.length + gets);
  const written = new DataView(file.buffer);
  file.set(latin1Bytes("BM"));
  file.set(bytes.subarray(0, infoHeaderBytes), fileHeaderBytes);
  written.setInt32(fileHeaderBytes + 8, Math.sign(view.getInt32(8, true)) * height, true);
  file.set(bytes.subarray(infoHeaderBytes), fileHeaderBytes + infoHeaderBytes + gets);
  if (gets === 0) return file;
  written.setUint32(fileHeaderBytes + 16, alphaBitFields, true);
  written.setUint32(fileHeaderBytes + 32, 0, true); // no palette
  for (const [i, mask] of masks.entries()) written.setUint32(fileHeaderBytes + infoHeaderBytes + i * 4, mask, true);
  return file;
}

/** One bit a pixel, bottom-up; a set bit is transparent. */
function applyMask(pixels: Raster<Uint8Array>, mask: Uint8Array): Raster<Uint8Array> {
  const { width, height, channels, data } = pixels;
  const stride = maskStride(width);
  if (mask.length < stride * (height - 1) + Math.ceil(width / 8)) brokenIcon("The file ends in a mask.");
  const isSet = (x: number, y: number) =>
    (((mask[(height - 1 - y) * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
  const target = channels + 1;
  const masked = new Uint8Array(width * height * target);
  let isOpaque = true;
  for (let y = 0, from = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++, from += channels, to += target) {
      for (let c = 0; c < channels; c++) masked[to + c] = data[from + c] ?? 0;
      const isClear = isSet(x, y);
      masked[to + channels] = isClear ? 0 : 255;
      if (isClear) isOpaque = false;
    }
  return isOpaque ? pixels : { width, height, channels: channels === 1 ? 2 : 4, data: masked };
}

/** A 32-bit image as stored in an icon: bottom-up rows, then the AND mask for readers without alpha. */
export function encodeIconBitmap({ width, height, data }: Omit<Raster<Uint8Array>, "channels">): Uint8Array {
  const stride = maskStride(width);
  const bytes = new Uint8Array(infoHeaderBytes + (width * 4 + stride) * height);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, infoHeaderBytes, true);
  view.setInt32(4, width, true);
  view.setInt32(8, height * 2, true);
  view.setUint16(12, 1, true);
  view.setUint16(14, 32, true);
  view.setUint32(20, (width * 4 + stride) * height, true);
  const maskAt = infoHeaderBytes + width * 4 * height;
  for (let y = 0, from = 0; y < height; y++) {
    const row = height - 1 - y;
    for (let x = 0, to = infoHeaderBytes + row * width * 4; x < width; x++, from += 4, to += 4) {
      bytes[to] = data[from + 2] ?? 0;
      bytes[to + 1] = data[from + 1] ?? 0;
      bytes[to + 2] = data[from] ?? 0;
      const alpha = data[from + 3] ?? 0;
      bytes[to + 3] = alpha;
      const maskByte = maskAt + row * stride + (x >> 3);
      if (alpha < 128) bytes[maskByte] = (bytes[maskByte] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return bytes;
}
