import { crc32, deflateSync } from "node:zlib";
import type { ReadBytes } from "../byte-window.ts";

export const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A chunk: length, type, data, CRC (PNG, third edition, 5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length);
  whole.write(type, 4, "latin1");
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
}

/** The bytes after a file's IEND. */
export function afterPng(bytes: Uint8Array): Uint8Array {
  let end = pngSignature.length;
  for (const { whole } of pngChunks(bytes)) end += whole.length;
  return bytes.subarray(end);
}

type PngChunk = { type: string; data: Uint8Array; whole: Uint8Array };

/** The chunks of a file up to IEND, in order. The last chunk of a truncated file is cut short. */
export function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    yield { type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) };
    if (type === "IEND") return;
    at = end;
  }
}

/** The offsets of the chunks up to IEND, of a file that is read piece by piece. `length`: bytes of chunk data. */
export async function* readPngChunks(
  read: ReadBytes,
): AsyncGenerator<{ type: string; start: number; end: number; length: number }> {
  for (let start = 8; ; ) {
    const head = await read(start, 8);
    if (head.length < 8) return;
    const [length, type] = [head.readUInt32BE(), head.toString("latin1", 4)];
    const end = start + 12 + length;
    yield { type, start, end, length };
    if (type === "IEND") return;
    start = end;
  }
}

/**
 * Keyword and text of tEXt, zTXt and iTXt; profile name and profile of iCCP (PNG, third edition, 11.3.2.3 and 11.3.3).
 * zTXt and iCCP have a compression method before the zlib stream; iTXt has a compression flag before the method, and a
 * language tag and a translated keyword after it. Undefined if a terminator is missing.
 */
export function pngText(type: string, data: Buffer): { keyword: string; isPacked: boolean; bytes: Buffer } | undefined {
  const keywordEnd = data.indexOf(0);
  if (keywordEnd < 0) return undefined;
  const keyword = data.toString("latin1", 0, keywordEnd);
  if (type === "tEXt") return { keyword, isPacked: false, bytes: data.subarray(keywordEnd + 1) };
  if (type !== "iTXt") return { keyword, isPacked: true, bytes: data.subarray(keywordEnd + 2) };
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  const translationEnd = languageEnd < 0 ? -1 : data.indexOf(0, languageEnd + 1);
  if (translationEnd < 0) return undefined;
  return { keyword, isPacked: data[keywordEnd + 1] === 1, bytes: data.subarray(translationEnd + 1) };
}

export type PngHead = {
  width: number;
  height: number;
  depth: 1 | 2 | 4 | 8 | 16;
  /** PNG, third edition, table 12: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha. */
  colourType: 0 | 2 | 3 | 4 | 6;
  profile?: Uint8Array | undefined;
  /** RGBA of each palette entry, for colour type 3. */
  palette?: Uint8Array | undefined;
  /** acTL of an APNG; 0 plays loop forever. */
  animation?: { frames: number; plays: number };
};

/** The file before IDAT: signature, IHDR, acTL, iCCP, PLTE, tRNS (PNG, third edition, 5.6 and 11). */
export function pngHead({ width, height, depth, colourType, profile, palette, animation }: PngHead): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk("IHDR", header),
    ...(animation ? [pngChunk("acTL", uint32s(animation.frames, animation.plays))] : []),
    ...(profile ? [profileChunk(profile)] : []),
    ...(palette ? paletteChunks(palette) : []),
  ]);
}

/** Colour types other than indexed, by the number of channels (PNG, third edition, table 12). */
export const directColourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

export const pngEnd = pngChunk("IEND", new Uint8Array());

/** A static PNG. `data`: the zlib stream of the filtered scanlines. */
export const pngFile = (head: PngHead, data: readonly Uint8Array[]): Buffer =>
  Buffer.concat([pngHead(head), pngChunk("IDAT", Buffer.concat(data)), pngEnd]);

export function uint32s(...values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) data.writeUInt32BE(value, i * 4);
  return data;
}

/** iCCP (PNG, third edition, 11.3.2.3): profile name, null separator, compression method 0, compressed profile. */
export const profileChunk = (profile: Uint8Array): Buffer =>
  pngChunk("iCCP", Buffer.concat([Buffer.from("icc\0\0", "latin1"), deflateSync(profile, { level: 9 })]));

/** PLTE, and tRNS up to the last alpha below 255 (PNG, third edition, 11.2.2 and 11.3.1.1). */
function paletteChunks(palette: Uint8Array): Buffer[] {
  const count = palette.length / 4;
  const colours = Buffer.alloc(count * 3);
  const alphas = Buffer.alloc(count);
  let translucent = 0;
  for (let i = 0; i < count; i++) {
    colours.set(palette.subarray(i * 4, i * 4 + 3), i * 3);
    alphas[i] = palette[i * 4 + 3] ?? 255;
    if (alphas[i] !== 255) translucent = i + 1;
  }
  return [pngChunk("PLTE", colours), ...(translucent > 0 ? [pngChunk("tRNS", alphas.subarray(0, translucent))] : [])];
}
