import type { Rectangle } from "@tintype/codecs/raster";
import sharp from "sharp";
import { vp8xFlags, webpChunk, webpChunks, webpFile } from "./container.ts";

/** The longest side of a WebP, px: rendered frames are passed to libvips as an animated WebP. */
export const longestSide = 16_383;

/** A frame as displayed: RGBA of the whole canvas, not premultiplied. The memory may be reused for the next frame. */
export type CanvasFrame = {
  pixels: Uint8Array;
  /** The bounding box of changes since the previous frame; before the first one the canvas is empty. */
  dirty: Rectangle;
  delayMs: number;
};

type JoinOptions = {
  width: number;
  height: number;
  /** The loop count; 0 = forever. */
  plays: number;
  frames: AsyncIterable<CanvasFrame> | Iterable<CanvasFrame>;
};

/**
 * A lossless animated WebP: an intermediate that libvips reads, for animations whose frames it does not compose as
 * browsers do. Memory holds one canvas and the compressed frames. A side is at most 16,383 px (WebP container
 * specification).
 */
export async function joinFrames({ width, height, plays, frames }: JoinOptions): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const frame of frames) parts.push(await frameChunk(frame, { width, height, isFirst: parts.length === 0 }));
  const header = Buffer.alloc(10);
  header[0] = vp8xFlags.animation | vp8xFlags.alpha;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  const animation = Buffer.alloc(6);
  animation.writeUInt16LE(Math.min(plays, 65_535), 4);
  return webpFile([webpChunk("VP8X", header), webpChunk("ANIM", animation), ...parts]);
}

/** No blending, no disposal. */
const replaces = 0x02;
const maxDurationMs = 2 ** 24 - 1;

type Canvas = { width: number; height: number; isFirst: boolean };

async function frameChunk(
  { pixels, dirty, delayMs }: CanvasFrame,
  { width, height, isFirst }: Canvas,
): Promise<Buffer> {
  // ANMF stores offsets halved, so they must be even. A frame without changes is one pixel of the canvas.
  const [left, top] = isFirst ? [0, 0] : [dirty.left & ~1, dirty.top & ~1];
  const right = isFirst ? width : Math.max(left + 1, dirty.left + dirty.width);
  const bottom = isFirst ? height : Math.max(top + 1, dirty.top + dirty.height);
  const size = { width: right - left, height: bottom - top };
  const part = Buffer.allocUnsafe(size.width * size.height * 4);
  for (let y = 0; y < size.height; y++) {
    const from = ((top + y) * width + left) * 4;
    part.set(pixels.subarray(from, from + size.width * 4), y * size.width * 4);
  }
  const still = await sharp(part, { raw: { ...size, channels: 4 } })
    .webp({ lossless: true, exact: true, effort: 0 })
    .toBuffer();
  const head = Buffer.alloc(16);
  head.writeUIntLE(left / 2, 0, 3);
  head.writeUIntLE(top / 2, 3, 3);
  head.writeUIntLE(size.width - 1, 6, 3);
  head.writeUIntLE(size.height - 1, 9, 3);
  head.writeUIntLE(Math.min(Math.max(0, Math.round(delayMs)), maxDurationMs), 12, 3);
  head[15] = replaces;
  return webpChunk("ANMF", Buffer.concat([head, pixelChunk(still)]));
}

/** The bitstream chunk of a lossless still WebP. */
function pixelChunk(webp: Buffer): Uint8Array {
  for (const { type, whole } of webpChunks(webp)) if (type === "VP8L") return whole;
  throw new Error("A WebP without loss has no VP8L chunk");
}
