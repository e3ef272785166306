import { CodecError } from "../error.ts";
import type { Rectangle } from "../raster/raster.ts";
import { emptyRectangle, unite, wholeOf, within } from "../raster/rectangle.ts";
import { type GifDocument, type GifFrame, outsideAllowance } from "./document.ts";
import { decodeLzw } from "./lzw-decode.ts";

/** A rendered frame. */
export type ShownFrame = {
  /** The canvas in raster order as packed colours (see `packColour`); 0 is transparent. Reused for the next frame. */
  pixels: Uint32Array;
  delayCs: number;
  /** Contains all pixels that differ from the previous frame; for the first frame, from a transparent canvas. */
  dirty: Rectangle;
  /** Whether the source disposes of the frame: "clear" or "restore". */
  isTemporary: boolean;
};

/**
 * Renders a GIF frame by frame (GIF89a, 20 to 23) as browsers do: the canvas starts transparent, "clear" restores to
 * transparent instead of the background colour, an index beyond the colour table draws nothing. Memory holds one
 * canvas, and a second one for frames with disposal "restore".
 * @throws damaged from the generator for invalid LZW data, or for a frame far larger than the logical screen
 */
export function* playGif(gif: GifDocument): Generator<ShownFrame> {
  const pixels = new Uint32Array(gif.width * gif.height);
  let saved: Uint32Array | undefined;
  let leftover = emptyRectangle;
  for (const frame of gif.frames) {
    const visible = within(frame.rectangle, wholeOf(gif));
    if (frame.disposal === "restore") {
      saved ??= new Uint32Array(pixels.length);
      copyRectangle(saved, pixels, visible, gif.width);
    }
    drawFrame(gif, frame, visible, pixels);
    const isTemporary = frame.disposal !== "keep";
    yield { pixels, delayCs: frame.delayCs, dirty: unite(leftover, visible), isTemporary };
    leftover = frame.disposal === "keep" ? emptyRectangle : visible;
    if (frame.disposal === "clear") clearRectangle(pixels, visible, gif.width);
    if (frame.disposal === "restore" && saved) copyRectangle(pixels, saved, visible, gif.width);
  }
}

function drawFrame(gif: GifDocument, frame: GifFrame, visible: Rectangle, pixels: Uint32Array): void {
  const { width, height, left, top } = frame.rectangle;
  if (width * height > gif.width * gif.height + outsideAllowance)
    throw new CodecError("damaged", { fault: { code: "gif-damaged", fault: "large-frame" } });
  const indices = new Uint8Array(width * height);
  const available = decodeLzw(gif.bytes, frame.dataOffset, indices);
  const colours = drawnColours(frame);
  const rows = frame.isInterlaced ? interlacedRows(height) : undefined;
  for (let storedRow = 0; storedRow * width < available; storedRow++) {
    const row = rows ? (rows[storedRow] as number) : storedRow;
    if (row >= visible.height) continue;
    const count = Math.min(visible.width, available - storedRow * width);
    let from = storedRow * width;
    let to = (top + row) * gif.width + left;
    for (const end = from + count; from < end; from++, to++) {
      const colour = colours[indices[from] as number] as number;
      if (colour !== 0) pixels[to] = colour;
    }
  }
}

/** The colour of each of 256 indices; 0 for the transparent index, and beyond the colour table. */
function drawnColours({ palette, transparentIndex }: GifFrame): Uint32Array {
  const colours = new Uint32Array(256);
  colours.set(palette);
  if (transparentIndex >= 0) colours[transparentIndex] = 0;
  return colours;
}

/** The row order of an interlaced image, in four passes (GIF89a, appendix E). */
function interlacedRows(height: number): Int32Array {
  const rows = new Int32Array(height);
  let stored = 0;
  for (const [start, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const)
    for (let row = start; row < height; row += step) rows[stored++] = row;
  return rows;
}

export function copyRectangle(to: Uint32Array, from: Uint32Array, area: Rectangle, canvasWidth: number): void {
  for (let row = area.top; row < area.top + area.height; row++) {
    const start = row * canvasWidth + area.left;
    to.set(from.subarray(start, start + area.width), start);
  }
}

export function clearRectangle(pixels: Uint32Array, area: Rectangle, canvasWidth: number): void {
  for (let row = area.top; row < area.top + area.height; row++) {
    const start = row * canvasWidth + area.left;
    pixels.fill(0, start, start + area.width);
  }
}

/** An animation, or a still picture as one frame, to be written as GIF. */
export type Animation = {
  width: number;
  height: number;
  /** 0 loops forever; undefined plays once. */
  loopCount: number | undefined;
  /** The application extension of an ICC profile, copied verbatim. */
  profile?: Uint8Array | undefined;
  frameCount: number;
  /** All frames from the first one. The encoder iterates several times instead of keeping all frames in memory. */
  frames(): Iterable<ShownFrame>;
};

/** Browsers play a delay of 0 or 1 cs as 10 cs: two such frames merged into one would be shown for half the time. */
const minHonouredCs = 2;
const maxDelayCs = 0xffff;

/** Whether two identical frames can be merged into one with the sum of their delays, without a change of timing. */
export const canJoin = (firstCs: number, secondCs: number): boolean =>
  firstCs >= minHonouredCs && secondCs >= minHonouredCs && firstCs + secondCs <= maxDelayCs;
