import { isRgbProfile } from "../colour/profile.ts";
import { fromLight } from "../colour/srgb.ts";
import type { Raster } from "../raster/raster.ts";
import { type BmpRowReader, bgrReader, bitFieldReader } from "./bit-fields.ts";
import { decodeRuns } from "./decode-runs.ts";
import { type BmpHeader, broken, readBmpHeader, readPalette } from "./header.ts";

/**
 * Decodes a BMP that has pixels of its own (for an embedded JPEG or PNG see `embeddedFile`). It allocates by the size
 * in the header, which the caller must check first.
 *
 * Pixels that a run-length stream skips are transparent. An all-zero alpha channel was left unset by the writer: it is
 * ignored, as browsers do.
 * @throws damaged when the file is shorter than its picture, or its run-length stream draws outside it
 */
export function decodeBmp(bytes: Uint8Array, header: BmpHeader = readBmpHeader(bytes)): Raster<Uint8Array> {
  const { width, height, packing } = header;
  if (packing === "jpeg" || packing === "png")
    throw new Error(`A BMP with a ${packing} inside has no pixels of its own`);
  const pixels = packing === "none" ? decodeRows(bytes, header) : decodeRuns(bytes, header);
  const profile = readProfile(bytes, header);
  return { width, height, ...pixels, ...(profile ? { profile } : {}) };
}

/** The JPEG or PNG file of a BMP with BI_JPEG or BI_PNG compression. */
export function embeddedFile(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  return bytes.subarray(header.pixelsOffset);
}

type Channels = Pick<Raster<Uint8Array>, "channels" | "data">;

function decodeRows(bytes: Uint8Array, header: BmpHeader): Channels {
  const { width, height, bitsPerPixel, isTopDown, pixelsOffset } = header;
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8);
  const stride = Math.ceil(rowBytes / 4) * 4;
  // Checked before anything is allocated: a header of 54 bytes can claim any size. The last row may lack its padding.
  if (pixelsOffset + stride * (height - 1) + rowBytes > bytes.length) broken("The file is shorter than its picture.");
  const { channels, readRow } = rowReader(bytes, header);
  const data = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row++) {
    const from = pixelsOffset + row * stride;
    const y = isTopDown ? row : height - 1 - row;
    readRow(bytes.subarray(from, from + rowBytes), data, y * width * channels);
  }
  return channels === 4 && isBlank(data) ? { channels: 3, data: withoutAlpha(data) } : { channels, data };
}

function rowReader(bytes: Uint8Array, header: BmpHeader): { channels: 1 | 3 | 4; readRow: BmpRowReader } {
  const { bitsPerPixel, masks, width } = header;
  if (bitsPerPixel <= 8) {
    const { colours, isGrey } = readPalette(bytes, header);
    return { channels: isGrey ? 1 : 3, readRow: indexReader({ bitsPerPixel, colours, isGrey, width }) };
  }
  if (masks)
    return { channels: masks.alpha === 0 ? 3 : 4, readRow: bitFieldReader(masks, bitsPerPixel === 16 ? 2 : 4) };
  return bitsPerPixel === 64
    ? { channels: 4, readRow: linearReader() }
    : { channels: 3, readRow: bgrReader({ stored: 3, kept: 3 }) };
}

type IndexFacts = { bitsPerPixel: number; colours: Uint8Array; isGrey: boolean; width: number };

function indexReader({ bitsPerPixel, colours, isGrey, width }: IndexFacts): BmpRowReader {
  const mask = (1 << bitsPerPixel) - 1;
  const perByte = 8 / bitsPerPixel;
  return (row, target, at) => {
    for (let x = 0, to = at; x < width; x++) {
      const shift = 8 - bitsPerPixel * ((x % perByte) + 1);
      const index = ((row[Math.floor(x / perByte)] ?? 0) >> shift) & mask;
      target[to++] = colours[index * 3] ?? 0;
      if (isGrey) continue;
      target[to++] = colours[index * 3 + 1] ?? 0;
      target[to++] = colours[index * 3 + 2] ?? 0;
    }
  };
}

function isBlank(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 0) return false;
  return true;
}

/** In place, because copying a large picture is expensive. */
function withoutAlpha(rgba: Uint8Array): Uint8Array {
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) rgba.copyWithin(to, from, from + 3);
  return rgba.subarray(0, (rgba.length / 4) * 3);
}

function readProfile(bytes: Uint8Array, { profile }: BmpHeader): Uint8Array | undefined {
  const found = profile && bytes.subarray(profile.offset, profile.offset + profile.length);
  return found && isRgbProfile(found) ? found : undefined;
}

/**
 * Reads rows of 64-bit pixels: blue, green, red and alpha as signed fixed point with 13 fraction bits, in linear light
 * (GDI+ PixelFormat64bppARGB). Converts them to 8-bit sRGB; values above white are clamped.
 */
function linearReader(): BmpRowReader {
  const toSrgb = Uint8Array.from({ length: one + 1 }, (_, value) => Math.round(255 * fromLight(value / one)));
  return (row, target, at) => {
    const values = new DataView(row.buffer, row.byteOffset, row.length);
    const read = (offset: number) => Math.max(0, Math.min(one, values.getInt16(offset, true)));
    for (let from = 0, to = at; from < row.length; from += 8, to += 4) {
      target[to] = toSrgb[read(from + 4)] ?? 0;
      target[to + 1] = toSrgb[read(from + 2)] ?? 0;
      target[to + 2] = toSrgb[read(from)] ?? 0;
      target[to + 3] = Math.round((read(from + 6) * 255) / one);
    }
  };
}

const one = 1 << 13;
