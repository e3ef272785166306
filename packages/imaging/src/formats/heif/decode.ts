import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Raster } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import { unmultiply } from "./unmultiply.ts";

/**
 * The subset of libheif's C API used here; the package's own types describe another loader. Handles and images are
 * pointers, results are returned through the pointer passed first. The JavaScript binding offers neither strict
 * decoding nor access to planes by channel.
 */
type Libheif = {
  HEAPU8: Uint8Array;
  _malloc(sizeBytes: number): number;
  _free(address: number): void;
  _heif_get_global_security_limits(): number;
  _heif_context_alloc(): number;
  _heif_context_read_from_memory(error: number, context: number, bytes: number, size: number, options: number): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_is_premultiplied_alpha(handle: number): number;
  _heif_decoding_options_alloc(): number;
  _heif_decode_image(
    error: number,
    handle: number,
    image: number,
    colorspace: number,
    chroma: number,
    options: number,
  ): void;
  _heif_image_release(image: number): void;
  _heif_image_has_channel(image: number, channel: number): number;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_bits_per_pixel_range(image: number, channel: number): number;
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
};

/** heif_colorspace, heif_chroma and heif_channel of libheif's heif_image.h. */
const colourSpaces = { rgb: 1, own: 99 } as const;
const chromas = { rgb: 10, rgba: 11, rgb16: 14, rgba16: 15, own: 99 } as const;
const channelKinds = { y: 0, cb: 1, cr: 2, interleaved: 10 } as const;

/**
 * Decodes the primary image of a HEIC, with its transformative properties applied.
 *
 * Each picture gets its own WebAssembly instance of libheif: a malicious file can corrupt only its own instance, and
 * the memory (2 GiB at most) is freed. A shared instance would only grow.
 * @throws broken-image when libheif cannot read it, or finds more than `maxPixels` in it
 */
export async function decodeHeif(
  bytes: Uint8Array,
  { bitsPerChannel, maxPixels }: { bitsPerChannel: number; maxPixels: number },
): Promise<Raster> {
  const libheif = await loadLibheif();
  try {
    setLimits(libheif, maxPixels);
    return decode(libheif, bytes, bitsPerChannel);
  } catch (cause) {
    // Apart from libheif's own errors: an abort inside the module, out of memory or by a fault, throws arbitrary
    // values.
    throw cause instanceof DomainError ? cause : new DomainError("broken-image", { cause });
  }
}

async function loadLibheif(): Promise<Libheif> {
  const require = createRequire(import.meta.url);
  const wasmBinary = await readFile(require.resolve("libheif-js/libheif-wasm/libheif.wasm"));
  const create = require("libheif-js/libheif-wasm/libheif.js") as (options: object) => Libheif; // see the type
  const silent = () => {};
  return create({ wasmBinary, print: silent, printErr: silent });
}

/** A property index has 15 bits (ISO/IEC 23008-12, 9.3.2). */
const maxProperties = 32_768;

/**
 * Fields of heif_security_limits, which each context copies: `max_image_size_pixels`, 64 bits, and
 * `max_children_per_box`, 100 by default. A burst of 100 pictures has more properties than that.
 */
function setLimits(libheif: Libheif, maxPixels: number): void {
  const view = new DataView(libheif.HEAPU8.buffer);
  const limits = libheif._heif_get_global_security_limits();
  view.setBigUint64(limits + 8, BigInt(Math.ceil(maxPixels)), true);
  view.setUint32(limits + 60, maxProperties, true);
}

/** `strict_decoding` in heif_decoding_options: without it a tile that cannot be decoded stays blank. */
const strictDecodingAt = 21;

function decode(libheif: Libheif, bytes: Uint8Array, bitsPerChannel: number): Raster {
  const memory = () => new DataView(libheif.HEAPU8.buffer); // re-created, because the memory may grow
  const error = libheif._malloc(12);
  const answer = libheif._malloc(4);
  const check = (): number => {
    if (memory().getInt32(error, true) !== 0)
      throw new DomainError("broken-image", {
        cause: `libheif: ${textAt(libheif, memory().getUint32(error + 8, true))}`,
      });
    return memory().getUint32(answer, true);
  };
  const context = libheif._heif_context_alloc();
  const file = libheif._malloc(bytes.length);
  libheif.HEAPU8.set(bytes, file);
  libheif._heif_context_read_from_memory(error, context, file, bytes.length, 0);
  check();
  libheif._free(file);
  libheif._heif_context_get_primary_image_handle(error, context, answer);
  const handle = check();
  const options = libheif._heif_decoding_options_alloc();
  libheif.HEAPU8[options + strictDecodingAt] = 1;
  const decodeAs = (colourSpace: number, chroma: number): number => {
    libheif._heif_decode_image(error, handle, answer, colourSpace, chroma, options);
    return check();
  };

  const hasAlpha = libheif._heif_image_handle_has_alpha_channel(handle) !== 0;
  const isPremultiplied = hasAlpha && libheif._heif_image_handle_is_premultiplied_alpha(handle) !== 0;
  const isDeep = bitsPerChannel > 8;
  const image = decodeAs(
    colourSpaces.rgb,
    isDeep ? (hasAlpha ? chromas.rgba16 : chromas.rgb16) : hasAlpha ? chromas.rgba : chromas.rgb,
  );
  const channels = hasAlpha ? 4 : 3;
  const plane = planeOf(libheif, image, channelKinds.interleaved);
  if (!plane) throw new DomainError("broken-image", { cause: "libheif: no pixels" });
  const { width, height, bits } = plane;
  const data = withoutPadding(plane, channels * (isDeep ? 2 : 1));
  libheif._heif_image_release(image);
  const samples = isDeep ? widened(data, bits) : data;
  const raster = { width, height, channels, data: samples } as const;
  if (mayLackBlocks(raster) && lacksBlocks(libheif, decodeAs(colourSpaces.own, chromas.own)))
    throw new DomainError("broken-image", { cause: "HEVC: a part of the picture was not decoded" });
  if (isPremultiplied) unmultiply(samples);
  return raster;
}

function textAt({ HEAPU8 }: Libheif, address: number): string {
  const end = HEAPU8.indexOf(0, address);
  return new TextDecoder().decode(HEAPU8.subarray(address, end));
}

type Plane = { data: Uint8Array; stride: number; width: number; height: number; bits: number };

function planeOf(libheif: Libheif, image: number, channel: number): Plane | undefined {
  if (libheif._heif_image_has_channel(image, channel) === 0) return undefined;
  const strideAt = libheif._malloc(4);
  const address = libheif._heif_image_get_plane_readonly(image, channel, strideAt);
  const stride = new DataView(libheif.HEAPU8.buffer).getInt32(strideAt, true);
  const height = libheif._heif_image_get_height(image, channel);
  return {
    data: libheif.HEAPU8.subarray(address, address + stride * height),
    stride,
    width: libheif._heif_image_get_width(image, channel),
    height,
    bits: libheif._heif_image_get_bits_per_pixel_range(image, channel),
  };
}

/** px, of a block that a decoder skipped: the smallest coding tree block (ITU-T H.265, 7.4.3.2.1). */
const blockSide = 16;

/**
 * Whether a block has the green that zeroed YCbCr samples convert to, 0/135/0 in 8 bits by BT.601. libde265 does not
 * report a slice that ends early: the blocks it did not reach stay zero.
 */
function mayLackBlocks({ width, height, channels, data }: Raster): boolean {
  const full = data instanceof Uint16Array ? 65_535 : 255;
  const isGreen = (x: number, y: number) => {
    const at = (y * width + x) * channels;
    const green = (data[at + 1] ?? 0) / full;
    return data[at] === 0 && data[at + 2] === 0 && green > 0.2 && green < 0.7;
  };
  for (let y = blockSide / 2; y < height; y += blockSide)
    for (let x = blockSide / 2; x < width; x += blockSide) if (isGreen(x, y) && isGreen(x - 4, y - 4)) return true;
  return false;
}

/** Whether luma and both chroma planes are zero throughout a block, which no valid colour produces. */
function lacksBlocks(libheif: Libheif, image: number): boolean {
  const [y, cb, cr] = [channelKinds.y, channelKinds.cb, channelKinds.cr].map((kind) => planeOf(libheif, image, kind));
  if (!y || !cb || !cr) return false;
  const isZero = ({ data, stride, bits }: Plane, { left, top, side }: { left: number; top: number; side: number }) => {
    const bytes = bits > 8 ? 2 : 1;
    for (let row = top; row < top + side; row++) {
      const start = row * stride + left * bytes;
      for (let at = start; at < start + side * bytes; at++) if (data[at] !== 0) return false;
    }
    return true;
  };
  const side = blockSide / 2;
  for (let top = 0; top + side <= cb.height; top += side)
    for (let left = 0; left + side <= cb.width; left += side) {
      const [across, down] = [Math.round(y.width / cb.width), Math.round(y.height / cb.height)];
      const inLuma = { left: left * across, top: top * down, side };
      if ([cb, cr].every((plane) => isZero(plane, { left, top, side })) && isZero(y, inLuma)) return true;
    }
  return false;
}

/** Copies the rows out of the module's memory, without their padding. */
function withoutPadding({ data, stride, width, height }: Plane, pixelBytes: number): Uint8Array {
  const rowBytes = width * pixelBytes;
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, y * stride + rowBytes), y * rowBytes);
  return rows;
}

/** Expands 10 or 12 bits to 16 by bit replication. WebAssembly and this machine are both little-endian. */
function widened(data: Uint8Array, bits: number): Uint16Array {
  const values = new Uint16Array(data.buffer);
  const [up, down] = [16 - bits, 2 * bits - 16];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    values[i] = (value << up) | (value >> down);
  }
  return values;
}
