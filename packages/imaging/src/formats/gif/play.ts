import { DomainError } from "@tintype/contract";
import type { Rectangle } from "../../raster/raster.ts";
import { type GifDocument, type GifFrame, outsideAllowance } from "./document.ts";
import { decodeLzw } from "./lzw-decode.ts";
import { clip, emptyRectangle, unite } from "./rectangle.ts";

/** A frame as a viewer shows it. */
export type ShownFrame = {
  /** Packed colours (see `packColour`), row by row, the whole canvas; 0 is transparent. Reused for the next frame. */
  pixels: Uint32Array;
  delayCs: number;
  /** All that may differ from the frame before, which for the first is an empty canvas. */
  dirty: Rectangle;
  /** Whether the source takes the frame away again. */
  isTemporary: boolean;
};

/**
 * Shows a GIF frame by frame, with the semantics of browsers: the canvas begins transparent, "clear" makes transparent
 * whatever the background colour is, an index past the palette draws nothing. It keeps one canvas, and a second one for
 * a frame with disposal "restore".
 * @throws broken-image from the generator when a frame's data is no LZW, or a frame is far larger than its canvas
 */
export function* playGif(gif: GifDocument): Generator<ShownFrame> {
  const pixels = new Uint32Array(gif.width * gif.height);
  let saved: Uint32Array | undefined;
  let leftover = emptyRectangle;
  for (const frame of gif.frames) {
    const visible = clip(frame.rectangle, gif);
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
    throw new DomainError("broken-image", { detail: "The GIF is damaged: a picture in it is larger than its canvas." });
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

/** 256 entries; 0 where an index draws nothing. */
function drawnColours({ palette, transparentIndex }: GifFrame): Uint32Array {
  const colours = new Uint32Array(256);
  colours.set(palette);
  if (transparentIndex >= 0) colours[transparentIndex] = 0;
  return colours;
}

/** The order in which an interlaced frame stores its rows: every 8th, the 8ths between, the 4ths, the 2nds. */
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

/** A moving picture (or a still one: one frame) to be written, from any source. */
export type Animation = {
  width: number;
  height: number;
  /** 0 = for ever; undefined = shown once. */
  loopCount: number | undefined;
  /** A GIF application extension with an ICC profile, kept as it is. */
  profile?: Uint8Array | undefined;
  frameCount: number;
  /** All frames from the first. The packer iterates twice, and never keeps all frames. */
  frames(): Iterable<ShownFrame>;
};

/** Browsers show a frame of 0 or 1 hundredths for 10: two of them made one would be shown half as long. */
const shortestHonouredCs = 2;
const longestCs = 0xffff;

/** Whether one frame shown for both times looks the same as two that are alike. */
export const canJoin = (firstCs: number, secondCs: number): boolean =>
  firstCs >= shortestHonouredCs && secondCs >= shortestHonouredCs && firstCs + secondCs <= longestCs;
