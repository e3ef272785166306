import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { box } from "../formats/heif/boxes.ts";

type Encode = (rgba: Uint8Array, width: number, height: number, options: object) => Uint8Array | null;

const usual = {
  effort: 3,
  progressive: false,
  epf: -1,
  lossyPalette: false,
  decodingSpeedTier: 0,
  photonNoiseIso: 0,
  lossyModular: false,
};

/** A lossless JPEG XL codestream of RGBA pixels. */
export async function jxlFile({ width, height, data }: { width: number; height: number; data: Uint8Array }) {
  const require = createRequire(import.meta.url);
  const wasmBinary = await readFile(require.resolve("@jsquash/jxl/codec/enc/jxl_enc.wasm"));
  const { default: create } = await import("@jsquash/jxl/codec/enc/jxl_enc.js");
  const { encode }: { encode: Encode } = await create({ noInitialRun: true, wasmBinary });
  const bytes = encode(data, width, height, { ...usual, quality: 100, lossless: true });
  if (!bytes) throw new Error("The encoder gave nothing");
  return Buffer.from(bytes);
}

/** The codestream in a container (ISO/IEC 18181-2), followed by boxes. */
export function jxlContainer(codestream: Uint8Array, boxes: [type: string, body: Uint8Array][] = []): Buffer {
  return Buffer.concat([
    box("JXL ", Buffer.from("\r\n\x87\n", "latin1")),
    box("ftyp", Buffer.from("jxl \0\0\0\0jxl ", "latin1")),
    box("jxlc", codestream),
    ...boxes.map(([type, body]) => box(type, body)),
  ]);
}
