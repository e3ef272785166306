import type { Rectangle } from "@tintype/codecs/raster";
import { emptyRectangle, unite, wholeOf, within } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import sharp from "sharp";
import { brokenImage } from "../../raster/broken-image.ts";
import type { CanvasFrame } from "../webp/join-frames.ts";
import { pngChunk, pngChunks, pngEnd, pngSignature } from "./container.ts";

type Disposal = "keep" | "clear" | "restore";
type ApngFrame = {
  rectangle: Rectangle;
  delayMs: number;
  disposal: Disposal;
  /** APNG_BLEND_OP_OVER; otherwise APNG_BLEND_OP_SOURCE. */
  isOver: boolean;
  /** The parts of the frame's zlib stream: IDAT data, or fdAT data without sequence numbers. */
  data: Uint8Array[];
};

/** The structure of an APNG (PNG, third edition, 4.9 and 11.3.6), its frames still compressed. */
export type Apng = {
  width: number;
  height: number;
  /** num_plays of acTL; 0 loops forever. */
  plays: number;
  frames: ApngFrame[];
  /** IHDR's data. `shared`: the chunks before IDAT that every frame needs: PLTE, tRNS, iCCP, sRGB. */
  header: Uint8Array;
  shared: Uint8Array[];
};

/**
 * Parses an APNG; undefined for a static PNG. A default image without an fcTL before its IDAT is not part of the
 * animation.
 * @throws broken-image for a frame that is empty, exceeds the canvas, or has no data
 */
export function readApng(bytes: Uint8Array): Apng | undefined {
  const apng: Apng = { width: 0, height: 0, plays: 0, frames: [], header: new Uint8Array(), shared: [] };
  let [isAnimated, hasPixels] = [false, false];
  let frame: ApngFrame | undefined;
  for (const { type, data, whole } of pngChunks(bytes)) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (type === "IHDR" && data.length === 13)
      Object.assign(apng, { width: view.getUint32(0), height: view.getUint32(4), header: data });
    else if (type === "acTL" && data.length === 8 && !hasPixels) {
      isAnimated = true;
      apng.plays = view.getUint32(4);
    } else if (type === "fcTL" && data.length === 26) {
      frame = readFrame(view, apng);
      apng.frames.push(frame);
    } else if (type === "IDAT") {
      hasPixels = true;
      frame?.data.push(data);
    } else if (type === "fdAT") frame?.data.push(data.subarray(4));
    else if (!hasPixels && needed.has(type)) apng.shared.push(whole);
  }
  if (!isAnimated || apng.frames.length === 0) return undefined;
  if (apng.frames.some(({ data }) => data.length === 0)) throw broken("a frame has no pixels");
  return apng;
}

const needed = new Set(["PLTE", "tRNS", "iCCP", "sRGB"]);

function readFrame(view: DataView, { width, height }: Apng): ApngFrame {
  const rectangle = {
    width: view.getUint32(4),
    height: view.getUint32(8),
    left: view.getUint32(12),
    top: view.getUint32(16),
  };
  const { left, top, ...size } = rectangle;
  if (size.width === 0 || size.height === 0 || left + size.width > width || top + size.height > height)
    throw broken("a frame lies outside of the picture");
  const [numerator, denominator] = [view.getUint16(20), view.getUint16(22)];
  return {
    rectangle,
    delayMs: (1000 * numerator) / (denominator || 100),
    disposal: (["keep", "clear", "restore"] as const)[view.getUint8(24)] ?? "keep",
    isOver: view.getUint8(25) === 1,
    data: [],
  };
}

/**
 * Renders an APNG frame by frame, as 8-bit RGBA in sRGB, by the dispose and blend operations of fcTL (PNG, third
 * edition, 11.3.6.2). Memory holds one canvas, and a copy of it for frames with APNG_DISPOSE_OP_PREVIOUS.
 * @throws broken-image from the generator when a frame's data is damaged
 */
export async function* playPng(apng: Apng): AsyncGenerator<CanvasFrame> {
  const { width, height, frames } = apng;
  const pixels = new Uint8Array(width * height * 4);
  let leftover = emptyRectangle;
  for (const [number, frame] of frames.entries()) {
    const area = within(frame.rectangle, wholeOf(apng));
    // APNG_DISPOSE_OP_PREVIOUS of the first frame is treated as APNG_DISPOSE_OP_BACKGROUND.
    const disposal = number === 0 && frame.disposal === "restore" ? "clear" : frame.disposal;
    const saved = disposal === "restore" ? pixels.slice() : undefined;
    drawOnto(pixels, await decodeFrame(apng, frame), { area, width, isOver: frame.isOver });
    yield { pixels, dirty: unite(leftover, area), delayMs: frame.delayMs };
    leftover = disposal === "keep" ? emptyRectangle : area;
    if (saved) pixels.set(saved);
    if (disposal === "clear")
      for (let y = area.top; y < area.top + area.height; y++)
        pixels.fill(0, (y * width + area.left) * 4, (y * width + area.left + area.width) * 4);
  }
}

/** Decodes a frame as a static PNG of the frame's size. RGBA. */
async function decodeFrame({ header, shared }: Apng, { rectangle, data }: ApngFrame): Promise<Uint8Array> {
  const own = Buffer.from(header);
  own.writeUInt32BE(rectangle.width);
  own.writeUInt32BE(rectangle.height, 4);
  const still = [pngSignature, pngChunk("IHDR", own), ...shared, pngChunk("IDAT", Buffer.concat(data)), pngEnd];
  const image = sharp(Buffer.concat(still), { limitInputPixels: false, failOn: "error" });
  return image.toColourspace("srgb").ensureAlpha().raw().toBuffer().catch(brokenImage);
}

type FramePlacement = { area: Rectangle; width: number; isOver: boolean };

function drawOnto(canvas: Uint8Array, part: Uint8Array, { area, width, isOver }: FramePlacement): void {
  for (let row = 0; row < area.height; row++) {
    const to = ((area.top + row) * width + area.left) * 4;
    const from = row * area.width * 4;
    if (!isOver) canvas.set(part.subarray(from, from + area.width * 4), to);
    else for (let i = 0; i < area.width * 4; i += 4) drawOver(canvas, to + i, part, from + i);
  }
}

/** Source-over compositing of straight alpha (PNG, third edition, 13.16). */
function drawOver(canvas: Uint8Array, to: number, part: Uint8Array, from: number): void {
  const above = part[from + 3] ?? 0;
  if (above === 0) return;
  const below = ((canvas[to + 3] ?? 0) * (255 - above)) / 255;
  const alpha = above + below;
  for (let channel = 0; channel < 3; channel++)
    canvas[to + channel] = Math.round(
      ((part[from + channel] ?? 0) * above + (canvas[to + channel] ?? 0) * below) / alpha,
    );
  canvas[to + 3] = Math.round(alpha);
}

const broken = (cause: string) => new DomainError("broken-image", { cause: `APNG: ${cause}` });
