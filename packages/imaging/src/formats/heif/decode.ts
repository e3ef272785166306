import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { DomainError } from "@tintype/contract";
import type { Raster } from "../../raster/raster.ts";
import { unmultiply } from "./unmultiply.ts";

/** The used part of libheif's binding to JavaScript; the package's own types describe another loader. */
type Libheif = {
  HEAPU8: Uint8Array;
  _heif_get_global_security_limits(): number;
  heif_error_code: { heif_error_Ok: unknown };
  heif_context_alloc(): object;
  heif_context_read_from_memory(context: object, bytes: Uint8Array): Answer;
  heif_js_context_get_primary_image_handle(context: object): object & Answer;
  heif_image_handle_has_alpha_channel(handle: object): number;
  heif_image_handle_is_premultiplied_alpha(handle: object): number;
  heif_js_decode_image2(handle: object, colorspace: unknown, chroma: unknown): Decoded & Answer;
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: Record<ChromaName, unknown>;
};
type ChromaName = `heif_chroma_interleaved_${"RGB" | "RGBA" | "RRGGBB_LE" | "RRGGBBAA_LE"}`;
type Answer = { code?: unknown; message?: string };
type Decoded = { channels: { data: Uint8Array; stride: number; width: number; height: number }[] };

/**
 * Decodes the main picture of a HEIC, as its transformations turn it.
 *
 * Each picture gets its own WebAssembly instance of libheif: a hostile file can harm only its own instance, and the
 * memory (2 GiB at most) is freed. A shared instance would only grow.
 * @throws broken-image when libheif cannot read it, or finds more than `maxPixels` in it
 */
export async function decodeHeif(
  bytes: Uint8Array,
  { bitsPerChannel, maxPixels }: { bitsPerChannel: number; maxPixels: number },
): Promise<Raster> {
  const libheif = await loadLibheif();
  try {
    limitPixels(libheif, maxPixels);
    return decode(libheif, bytes, bitsPerChannel);
  } catch (cause) {
    // Besides its refusals: an abort inside the module, for want of memory or for a fault, throws as it pleases.
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

/** `max_image_size_pixels`, the second field of heif_security_limits, 64 bits; each context starts from these. */
function limitPixels(libheif: Libheif, maxPixels: number): void {
  new DataView(libheif.HEAPU8.buffer).setBigUint64(
    libheif._heif_get_global_security_limits() + 8,
    BigInt(Math.ceil(maxPixels)),
    true,
  );
}

function decode(libheif: Libheif, bytes: Uint8Array, bitsPerChannel: number): Raster {
  const check = <Value extends Answer>(answer: Value): Value => {
    if (answer.code !== undefined && answer.code !== libheif.heif_error_code.heif_error_Ok)
      throw new DomainError("broken-image", { cause: `libheif: ${answer.message}` });
    return answer;
  };
  const context = libheif.heif_context_alloc();
  check(libheif.heif_context_read_from_memory(context, bytes));
  const handle = check(libheif.heif_js_context_get_primary_image_handle(context));
  const hasAlpha = libheif.heif_image_handle_has_alpha_channel(handle) !== 0;
  const isPremultiplied = hasAlpha && libheif.heif_image_handle_is_premultiplied_alpha(handle) !== 0;
  const depth = bitsPerChannel > 8 ? 16 : 8;
  const chroma = depth === 16 ? (hasAlpha ? "RRGGBBAA_LE" : "RRGGBB_LE") : hasAlpha ? "RGBA" : "RGB";
  const { channels: planes } = check(
    libheif.heif_js_decode_image2(
      handle,
      libheif.heif_colorspace.heif_colorspace_RGB,
      libheif.heif_chroma[`heif_chroma_interleaved_${chroma}`],
    ),
  );
  const plane = planes[0];
  if (!plane) throw new DomainError("broken-image", { cause: "libheif: no pixels" });
  const channels = hasAlpha ? 4 : 3;
  const data = withoutPadding(plane, channels * (depth / 8));
  const samples = depth === 16 ? widened(data, bitsPerChannel) : data;
  if (isPremultiplied) unmultiply(samples);
  return { width: plane.width, height: plane.height, channels, data: samples };
}

/** Out of the module's memory, row by row without their padding. */
function withoutPadding({ data, stride, width, height }: Decoded["channels"][number], pixelBytes: number): Uint8Array {
  const rowBytes = width * pixelBytes;
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, y * stride + rowBytes), y * rowBytes);
  return rows;
}

/** From 10 or 12 bits to all 16, the highest to the highest. Both this and WebAssembly are little-endian. */
function widened(data: Uint8Array, bits: number): Uint16Array {
  const values = new Uint16Array(data.buffer);
  const [up, down] = [16 - bits, 2 * bits - 16];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    values[i] = (value << up) | (value >> down);
  }
  return values;
}
