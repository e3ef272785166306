import type { Raster, Size } from "../raster/raster.ts";
import { encodeRuns } from "./encode-runs.ts";

/**
 * Encodes a lossless BMP, the smallest of: a palette of 1, 4 or 8 bits, for few enough colours; 24 bits; and, if any
 * pixel is not opaque, 32 bits with alpha (a version 4 header with bit fields). With `runLength` also RLE4 and RLE8,
 * which browsers and viewers support but a few simple readers do not.
 */
export function encodeBmpSamples(
  pixels: Raster<Uint8Array>,
  { runLength = false }: { runLength?: boolean } = {},
): Uint8Array {
  if (pixels.channels === 4 && !isOpaque(pixels.data)) return encodeAlpha(pixels);
  const indexed = indexColours(pixels);
  const plainBytes = strideOf(pixels.width, 24) * pixels.height;
  const candidates = indexed ? indexedForms(indexed, { ...pixels, runLength }) : [];
  const best = candidates.reduce<BitmapForm | undefined>((a, b) => (a && sizeOf(a) <= sizeOf(b) ? a : b), undefined);
  if (best && sizeOf(best) <= plainBytes) return assemble(pixels, best);
  return assemble(pixels, { bits: 24, compression: 0, palette: [], body: packTrue(pixels, 3) });
}

/** A file's contents except for its dimensions. */
type BitmapForm = { bits: 1 | 4 | 8 | 24 | 32; compression: 0 | 1 | 2 | 3; palette: number[]; body: Uint8Array };

const sizeOf = ({ palette, body }: BitmapForm) => palette.length * 4 + body.length;
const strideOf = (width: number, bits: number) => Math.ceil((width * bits) / 32) * 4;

function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false;
  return true;
}

function indexedForms(
  { indices, colours }: IndexedPixels,
  { width, height, runLength }: Size & { runLength: boolean },
): BitmapForm[] {
  const bits = colours.length <= 2 ? 1 : colours.length <= 16 ? 4 : 8;
  const plain = packIndices(indices, { width, height, bits });
  const forms: BitmapForm[] = [{ bits, compression: 0, palette: colours, body: plain }];
  if (!runLength) return forms;
  const codeBits = bits === 8 ? 8 : 4; // there is no run-length encoding for 1 bit
  const body = encodeRuns(indices, { width, height, bits: codeBits, limitBytes: plain.length });
  if (body) forms.push({ bits: codeBits, compression: codeBits === 8 ? 1 : 2, palette: colours, body });
  return forms;
}

function packIndices(indices: Uint8Array, { width, height, bits }: Size & { bits: 1 | 4 | 8 }): Uint8Array {
  const stride = strideOf(width, bits);
  const packed = new Uint8Array(stride * height);
  const perByte = 8 / bits;
  for (let y = 0; y < height; y++) {
    const row = packed.subarray((height - 1 - y) * stride, (height - y) * stride);
    for (let x = 0; x < width; x++) {
      const at = Math.floor(x / perByte);
      row[at] = (row[at] ?? 0) | ((indices[y * width + x] ?? 0) << (8 - bits * ((x % perByte) + 1)));
    }
  }
  return packed;
}

/** Rows in the order B, G, R and, if `stored` is 4, A; bottom-up. */
function packTrue({ width, height, channels, data }: Raster<Uint8Array>, stored: 3 | 4): Uint8Array {
  const stride = strideOf(width, stored * 8);
  const packed = new Uint8Array(stride * height);
  const green = channels === 1 ? 0 : 1;
  const blue = channels === 1 ? 0 : 2;
  const alpha = stored === 4 ? 3 : 0; // without alpha it aliases blue, which overwrites it
  for (let y = 0; y < height; y++) {
    let to = (height - 1 - y) * stride;
    const end = (y + 1) * width * channels;
    for (let from = y * width * channels; from < end; from += channels, to += stored) {
      packed[to + alpha] = data[from + alpha] ?? 0;
      packed[to] = data[from + blue] ?? 0;
      packed[to + 1] = data[from + green] ?? 0;
      packed[to + 2] = data[from] ?? 0;
    }
  }
  return packed;
}

const encodeAlpha = (pixels: Raster<Uint8Array>) =>
  assemble(pixels, { bits: 32, compression: 3, palette: [], body: packTrue(pixels, 4) });

/** 72 dpi in pixels per metre, which most writers store for an unknown density. */
const density = 2835;

function assemble({ width, height }: Size, { bits, compression, palette, body }: BitmapForm): Uint8Array {
  const headerSize = bits === 32 ? 108 : 40;
  const pixelsOffset = 14 + headerSize + palette.length * 4;
  const file = new Uint8Array(pixelsOffset + body.length);
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4d]); // "BM"
  view.setUint32(2, file.length, true);
  view.setUint32(10, pixelsOffset, true);
  view.setUint32(14, headerSize, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, bits, true);
  view.setUint32(30, compression, true);
  view.setUint32(34, body.length, true);
  view.setInt32(38, density, true);
  view.setInt32(42, density, true);
  view.setUint32(46, palette.length, true);
  if (bits === 32) {
    for (const [i, mask] of [0xff0000, 0xff00, 0xff, 0xff000000].entries()) view.setUint32(54 + i * 4, mask, true);
    view.setUint32(70, 0x73524742, true); // "sRGB"
  }
  // A palette entry is B, G, R, 0: 0xRRGGBB in little-endian order.
  for (const [i, colour] of palette.entries()) view.setUint32(14 + headerSize + i * 4, colour, true);
  file.set(body, pixelsOffset);
  return file;
}

/** One index per pixel, and their colours as 0xRRGGBB, in order of first occurrence, at most 256. */
type IndexedPixels = { indices: Uint8Array; colours: number[] };

/** Slots of the hash table: four times its capacity, so that a probe ends after a step or two. */
const slots = 1024;
const free = -1;

/** Converts the picture to palette indices; undefined for more than 256 colours. Alpha is ignored. */
function indexColours({ channels, data }: Pick<Raster<Uint8Array>, "channels" | "data">): IndexedPixels | undefined {
  const keys = new Int32Array(slots).fill(free);
  const values = new Uint8Array(slots);
  const colours: number[] = [];
  const indices = new Uint8Array(data.length / channels);
  for (let pixel = 0, at = 0; at < data.length; pixel++, at += channels) {
    const red = data[at] ?? 0;
    const colour = channels === 1 ? red * 0x010101 : (red << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
    let slot = (Math.imul(colour, 0x9e3779b1) >>> 22) % slots; // Fibonacci hashing, the top ten bits
    while (keys[slot] !== colour && keys[slot] !== free) slot = (slot + 1) % slots;
    if (keys[slot] === free) {
      if (colours.length === 256) return undefined;
      keys[slot] = colour;
      values[slot] = colours.length;
      colours.push(colour);
    }
    indices[pixel] = values[slot] ?? 0;
  }
  return { indices, colours };
}
