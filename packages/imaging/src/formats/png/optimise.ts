import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import open, { optimise } from "@jsquash/oxipng/codec/pkg/squoosh_oxipng.js";
import { deflateOptimally, evenEffort } from "../../entropy/optimal-deflate.ts";
import type { Raster } from "../../raster/raster.ts";
import { pngChunk, pngChunks, pngSignature } from "./container.ts";

/**
 * The same pixels in fewer bytes, by oxipng: better filters, smaller colour types, a better deflate; never more bytes than
 * before. Blocks its thread, which is an engine process's own. `level` is oxipng's, as `optimisingLevel` gives it.
 */
export async function optimisePng(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  // The package's entry needs a browser's fetch; its core takes the module's bytes. A new instance for each picture
  // gives its memory back, which a WebAssembly module never does by itself.
  await open(await readFile(fileURLToPath(import.meta.resolve("@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm"))));
  const optimised = optimise(bytes, level, false, false);
  return optimised.length < bytes.length ? optimised : bytes;
}

/**
 * The effort of oxipng, by the bytes of the unpacked pixels; undefined if it would take minutes, or more memory than
 * WebAssembly has. Seconds a megapixel of RGB on one core: level 1 takes 1.1, 2 takes 1.8, 3 takes 4.5. Level 2 saves 4
 * % on 1, level 3 half a percent on 2 (four photographs and interfaces).
 */
export function optimisingLevel({ data }: Raster) {
  if (data.byteLength > 200e6) return undefined;
  return data.byteLength > 18e6 ? 1 : 2;
}

/** More filtered bytes would take longer than the optimising before. */
const mostBytes = 18e6;

/**
 * The same filtered rows packed by our own optimal parse; never more bytes than before. Drawings and interfaces lose 0.5 to 3 %
 * of the bytes that oxipng's level 2 left, photographs nothing.
 */
export function repackPng(png: Uint8Array): Uint8Array {
  const chunks = [...pngChunks(png)];
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const rows = inflateSync(packed);
  const effort = evenEffort(rows.length);
  if (rows.length > mostBytes || !effort) return png;
  const height = chunks[0] ? Buffer.from(chunks[0].data).readUInt32BE(4) : 1;
  const shape = { length: rows.length, rowBytes: rows.length / height, pixelBytes: 1 };
  const repacked = Buffer.concat(deflateOptimally(shape, effort, (bytes) => bytes.set(rows)));
  if (repacked.length >= packed.length) return png;
  const first = chunks.findIndex(({ type }) => type === "IDAT");
  return Buffer.concat([
    pngSignature,
    ...chunks.flatMap(({ type, whole }, i) =>
      i === first ? [pngChunk("IDAT", repacked)] : type === "IDAT" ? [] : [whole],
    ),
  ]);
}
