import { deflateSync } from "node:zlib";
import { applyPalette, colourHistogram } from "@tintype/codecs/palette";
import type { Raster, Rectangle } from "@tintype/codecs/raster";
import { createBounds } from "@tintype/codecs/raster";
import sharp, { type Sharp } from "sharp";
import { createSampleScorer } from "../../quality/sample.ts";
import { targetScore } from "../../quality/scale.ts";
import type { Encoded, Timing } from "../encoder.ts";
import { canUsePalette, paletteFor } from "../palette-for.ts";
import { pngChunk, pngChunks, pngEnd, pngHead, uint32s } from "./container.ts";

type Options = {
  /** Below 100 and with `minimizeBytes`, a palette is tried and kept if it reaches the target score in fewer bytes. */
  quality: number;
  timing?: Timing | undefined;
  minimizeBytes: boolean;
  signal?: AbortSignal | undefined;
};

/** Pixels in memory at a time. An animation with more is written as RGBA, without a palette. */
const maxBytesInMemory = 64e6;

/**
 * Writes an APNG (PNG, third edition, 4.9 and 11.3.6). Each frame after the first is the bounding rectangle of the
 * pixels that differ from the previous frame. All frames share one colour type and palette.
 */
export async function encodeApng(image: Sharp, { quality, timing, minimizeBytes, signal }: Options): Promise<Encoded> {
  // libvips exposes frame delays only in the header of a file that it has written.
  const webp = await image.webp({ lossless: true, exact: true, effort: 0 }).toBuffer();
  const { pages = 1, pageHeight, delay = [], loop = 0, ...header } = await sharp(webp, { animated: true }).metadata();
  const size = { width: header.width, height: pageHeight ?? header.height };
  const delays = Array.from({ length: pages }, (_, page) => timing?.delays[page] ?? delay[page] ?? 0);
  const animation = { ...size, delays, plays: timing?.plays ?? loop, signal };
  signal?.throwIfAborted();
  if (size.width * size.height * pages > maxBytesInMemory)
    return {
      bytes: await writeFrames({ ...animation, frames: framesInPieces(webp, animation), kind: kinds.rgba }),
      ...size,
      notes: [],
    };
  const data = await readPages(webp, { page: 0, pages });
  const write = (pixels: Uint8Array) =>
    writeFrames({ ...animation, frames: framesOf(wordsOf(pixels), animation), ...kindOf(wordsOf(pixels)) });
  const exact = await write(data);
  const near = minimizeBytes && quality < 100 ? painted({ data, ...animation }, quality) : undefined;
  const lossy = near && (await write(near));
  return { bytes: lossy && lossy.length < exact.length ? lossy : exact, ...size, notes: [] };
}

type Animation = {
  width: number;
  /** Height of one frame, px. */
  height: number;
  /** Delay of each frame, ms. */
  delays: number[];
  /** 0 loops forever. */
  plays: number;
  signal: AbortSignal | undefined;
};

/** RGBA of the frames, concatenated. */
const readPages = (webp: Buffer, which: { page: number; pages: number }): Promise<Uint8Array> =>
  sharp(webp, { ...which, limitInputPixels: false })
    .ensureAlpha()
    .raw()
    .toBuffer();

/** The frames as words, one a pixel, with red in the lowest byte. */
function* framesOf(words: Uint32Array, { width, height }: Animation): Generator<Uint32Array> {
  for (let at = 0; at < words.length; at += width * height) yield words.subarray(at, at + width * height);
}

/** libwebp decodes from the first frame on for each piece: pieces are as large as memory allows. */
async function* framesInPieces(webp: Buffer, animation: Animation): AsyncGenerator<Uint32Array> {
  const inPiece = Math.max(1, Math.floor(maxBytesInMemory / 2 / (animation.width * animation.height)));
  for (let page = 0; page < animation.delays.length; page += inPiece) {
    const pages = Math.min(inPiece, animation.delays.length - page);
    yield* framesOf(wordsOf(await readPages(webp, { page, pages })), animation);
  }
}

/**
 * Maps all frames to one palette. A pixel that does not change between two frames keeps its mapped colour: dithering
 * depends on the neighbourhood and would change it.
 */
function painted(
  { data, width, height, delays }: Animation & { data: Uint8Array },
  quality: number,
): Uint8Array | undefined {
  const samples: Raster<Uint8Array> = { data, width, height: height * delays.length, channels: 4 };
  if (!canUsePalette(samples)) return undefined;
  const palette = paletteFor(colourHistogram(samples), createSampleScorer(samples), targetScore(quality));
  if (!palette) return undefined;
  const result = Uint8Array.from(applyPalette(samples, palette).data);
  const [before, after] = [wordsOf(data), wordsOf(result)];
  const size = width * height;
  for (let at = size; at < before.length; at++)
    if (before[at] === before[at - size]) after[at] = after[at - size] as number;
  return result;
}

const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  byteOffset % 4 === 0
    ? new Uint32Array(buffer, byteOffset, byteLength / 4)
    : new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));

const maxColours = 256;

/** Colour types (PNG, third edition, table 12). */
const kinds = {
  palette: { colourType: 3, channels: 1 },
  rgb: { colourType: 2, channels: 3 },
  rgba: { colourType: 6, channels: 4 },
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];
type Palette = ReadonlyMap<number, number>;

function kindOf(words: Uint32Array): { kind: Kind; palette?: Palette } {
  const palette = paletteOf(words);
  if (palette) return { kind: kinds.palette, palette };
  return { kind: words.every((word) => word >>> 24 === 255) ? kinds.rgb : kinds.rgba };
}

type FrameWriteOptions = Animation & {
  frames: Iterable<Uint32Array> | AsyncIterable<Uint32Array>;
  kind: Kind;
  palette?: Palette;
};

async function writeFrames({
  width,
  height,
  delays,
  plays,
  signal,
  frames,
  kind,
  palette,
}: FrameWriteOptions): Promise<Buffer> {
  const animation = { frames: delays.length, plays };
  const colours = palette && new Uint8Array(Uint32Array.from(palette.keys()).buffer);
  const { colourType } = kind;
  const parts: Uint8Array[] = [pngHead({ width, height, depth: 8, colourType, palette: colours, animation })];
  let [sequence, page] = [0, 0];
  let before: Uint32Array | undefined;
  for await (const frame of frames) {
    signal?.throwIfAborted();
    const area = before ? changedArea(frame, before, width) : { left: 0, top: 0, width, height };
    parts.push(frameControl(sequence++, { area, delayMs: delays[page] ?? 0 }));
    const coded = await codePart(frame, { area, width, palette, channels: kind.channels });
    if (page === 0) parts.push(pngChunk("IDAT", coded));
    else parts.push(pngChunk("fdAT", Buffer.concat([uint32s(sequence++), coded])));
    before = frame;
    page++;
  }
  parts.push(pngEnd);
  return Buffer.concat(parts);
}

/** Palette index by colour; undefined for more than 256 colours. Sorted by alpha, so that tRNS is short. */
function paletteOf(words: Uint32Array): Palette | undefined {
  const colours = new Set<number>();
  let last = -1;
  for (const word of words) {
    if (word === last) continue;
    last = word;
    colours.add(word);
    if (colours.size > maxColours) return undefined;
  }
  const sorted = [...colours].sort((a, b) => (a >>> 24) - (b >>> 24));
  return new Map(sorted.map((colour, index) => [colour, index]));
}

/** The bounding rectangle of the changed pixels; one pixel if none changes, because a frame cannot be empty. */
function changedArea(frame: Uint32Array, before: Uint32Array, width: number): Rectangle {
  const bounds = createBounds();
  for (let at = 0; at < frame.length; at++)
    if (frame[at] !== before[at]) bounds.add(at % width, Math.floor(at / width));
  const area = bounds.rectangle();
  return area.width > 0 ? area : { left: 0, top: 0, width: 1, height: 1 };
}

function frameControl(sequence: number, { area, delayMs }: { area: Rectangle; delayMs: number }): Buffer {
  // delay_den is 100 for multiples of 10 ms, and for delays beyond the 65.5 s that thousandths express in 16 bits.
  const isLong = delayMs % 10 === 0 || delayMs > 65_535;
  const delay = Buffer.alloc(6); // ends with APNG_DISPOSE_OP_NONE, APNG_BLEND_OP_SOURCE
  delay.writeUInt16BE(Math.min(65_535, Math.round(isLong ? delayMs / 10 : delayMs)));
  delay.writeUInt16BE(isLong ? 100 : 1000, 2);
  return pngChunk("fcTL", Buffer.concat([uint32s(sequence, area.width, area.height, area.left, area.top), delay]));
}

type FrameEncoding = { area: Rectangle; width: number; palette: Palette | undefined; channels: 1 | 3 | 4 };

async function codePart(frame: Uint32Array, { area, width, palette, channels }: FrameEncoding): Promise<Uint8Array> {
  const size = { width: area.width, height: area.height };
  if (palette) {
    // Filter type 0 (None), as recommended for indexed colour (PNG, third edition, 12.7).
    const rows = Buffer.alloc((size.width + 1) * size.height);
    for (let y = 0; y < size.height; y++)
      for (let x = 0; x < size.width; x++)
        rows[y * (size.width + 1) + 1 + x] = palette.get(frame[(area.top + y) * width + area.left + x] as number) ?? 0;
    return deflateSync(rows, { level: 9, memLevel: 9 });
  }
  const part = Buffer.alloc(size.width * size.height * channels);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const word = frame[(area.top + y) * width + area.left + x] as number;
      const at = (y * size.width + x) * channels;
      for (let channel = 0; channel < channels; channel++) part[at + channel] = (word >>> (8 * channel)) & 255;
    }
  const still = await sharp(part, { raw: { ...size, channels } })
    .png({ adaptiveFiltering: true, compressionLevel: 9 })
    .toBuffer();
  return Buffer.concat([...pngChunks(still)].filter(({ type }) => type === "IDAT").map(({ data }) => data));
}
