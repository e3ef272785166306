import { inflateSync } from "node:zlib";
import { pngChunk, pngChunks, pngSignature } from "./chunk.ts";
import { deflateOptimally, evenEffort } from "./optimal-deflate.ts";

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
