import type { Rectangle } from "../../raster/raster.ts";
import { colourTableBytes, type Disposal, type GifDocument, type GifFrame } from "../document.ts";
import type { GifPalette } from "./palette.ts";

/** An encoded frame. */
export type PackedFrame = {
  rectangle: Rectangle;
  /** Undefined: the frame uses the global colour table. */
  localPalette: GifPalette | undefined;
  /** -1: no transparent colour flag. */
  transparentIndex: number;
  disposal: Disposal;
  delayCs: number;
  rootBits: number;
  /** Packed LZW codes, not yet in sub-blocks. */
  data: Uint8Array;
};

export type GifWriter = {
  add(frame: PackedFrame): void;
  /** Adds to the delay of the latest frame. */
  prolong(byCs: number): void;
  finish(): Uint8Array;
};

type Header = {
  width: number;
  height: number;
  loopCount: number | undefined;
  profile?: Uint8Array | undefined;
  globalPalette: GifPalette | undefined;
};

const word = (value: number) => [value & 255, value >> 8];
const ascii = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));

/**
 * Assembles a GIF89a: header and logical screen descriptor (17, 18), global colour table (19), NETSCAPE2.0 and ICC
 * profile (26), for each frame a graphic control extension (23), image descriptor (20), local colour table (21) and
 * image data (22), and a trailer (27).
 */
export function createGifWriter({ width, height, loopCount, profile, globalPalette }: Header): GifWriter {
  const chunks: Uint8Array[] = [];
  const tableBits = globalPalette ? bitsFor(globalPalette.colours.length) : 0;
  const flags = globalPalette ? 0x80 | 0x70 | (tableBits - 1) : 0x70;
  // Background colour index 0: in our global colour table the transparent or the most frequent colour.
  chunks.push(Uint8Array.from([...ascii("GIF89a"), ...word(width), ...word(height), flags, 0, 0]));
  if (globalPalette) chunks.push(colourTable(globalPalette));
  if (loopCount !== undefined) chunks.push(loopBlock(loopCount));
  if (profile) chunks.push(profile);
  let latestControl = new Uint8Array(8);
  let latestDelayCs = 0;

  return {
    add({ rectangle, localPalette, transparentIndex, disposal, delayCs, rootBits, data }) {
      latestControl = controlBlock({ disposal, delayCs, transparentIndex });
      latestDelayCs = delayCs;
      const { left, top, width: frameWidth, height: frameHeight } = rectangle;
      const localFlags = localPalette ? 0x80 | (bitsFor(localPalette.colours.length) - 1) : 0;
      chunks.push(
        latestControl,
        Uint8Array.from([0x2c, ...word(left), ...word(top), ...word(frameWidth), ...word(frameHeight), localFlags]),
      );
      if (localPalette) chunks.push(colourTable(localPalette));
      chunks.push(Uint8Array.of(rootBits), subBlocks(data));
    },
    prolong(byCs) {
      latestDelayCs += byCs;
      latestControl.set(word(latestDelayCs), 4);
    },
    finish() {
      return concatenate([...chunks, Uint8Array.of(0x3b)]);
    },
  };
}

/** NETSCAPE2.0 application extension. @param loopCount 0 loops forever */
const loopBlock = (loopCount: number): Uint8Array =>
  Uint8Array.from([0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, ...word(loopCount), 0]);

const disposalMethods = { keep: 1, clear: 2, restore: 3 } as const satisfies Record<Disposal, number>;

type Control = Pick<PackedFrame, "disposal" | "delayCs" | "transparentIndex">;

function controlBlock({ disposal, delayCs, transparentIndex }: Control): Uint8Array<ArrayBuffer> {
  const flags = (disposalMethods[disposal] << 2) | (transparentIndex >= 0 ? 1 : 0);
  return Uint8Array.from([0x21, 0xf9, 4, flags, ...word(delayCs), Math.max(transparentIndex, 0), 0]);
}

/** Bits of an index into this many entries, at least 1: colour tables have 2 to 256 entries. */
export const bitsFor = (entries: number): number => Math.max(1, Math.ceil(Math.log2(entries)));

function colourTable({ colours }: GifPalette): Uint8Array {
  const bytes = new Uint8Array(3 * 2 ** bitsFor(colours.length));
  colours.forEach((colour, index) => {
    bytes.set([colour & 255, (colour >> 8) & 255, (colour >> 16) & 255], index * 3);
  });
  return bytes;
}

/** Data sub-blocks of at most 255 bytes and a block terminator (GIF89a, 15 and 16). */
function subBlocks(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + Math.ceil(data.length / 255) + 1);
  let to = 0;
  for (let from = 0; from < data.length; from += 255) {
    const block = data.subarray(from, from + 255);
    bytes[to] = block.length;
    bytes.set(block, to + 1);
    to += block.length + 1;
  }
  return bytes;
}

function concatenate(chunks: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/**
 * The GIF without comment extensions, plain text extensions and metadata; image data is copied. For files that
 * re-encoding does not make smaller, and for the few whose canvas shows more colours at once than one colour table
 * holds.
 */
export function stripDocument({ bytes, width, height, loopCount, profile, frames }: GifDocument): Uint8Array {
  const head = bytes.slice(0, 13 + colourTableBytes(bytes[10] as number));
  head[4] = "9".charCodeAt(0); // GIF87a has no graphic control extension
  head.set([width & 255, width >> 8, height & 255, height >> 8], 6);
  return concatenate([
    head,
    ...(loopCount === undefined ? [] : [loopBlock(loopCount)]),
    ...(profile ? [profile] : []),
    ...frames.flatMap((frame) => [...control(frame), bytes.subarray(frame.descriptorOffset, frame.endOffset)]),
    Uint8Array.of(0x3b),
  ]);
}

/** The graphic control extension is omitted if all its values are defaults: a file without them must not grow. */
const control = (frame: GifFrame): Uint8Array[] =>
  frame.disposal === "keep" && frame.delayCs === 0 && frame.transparentIndex < 0 ? [] : [controlBlock(frame)];
