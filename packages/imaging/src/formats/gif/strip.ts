import { concatenate, controlBlock, loopBlock } from "./container.ts";
import type { GifDocument, GifFrame } from "./document.ts";

/**
 * The same GIF without its comments, texts and metadata; the image data of its frames is copied. For files that our packing does
 * not make smaller, and for those few whose frames show more colours at once than a frame can draw.
 */
export function stripDocument({ bytes, width, height, loopCount, profile, frames }: GifDocument): Uint8Array {
  const flags = bytes[10] as number;
  const tableSize = flags & 0x80 ? 3 * (2 << (flags & 7)) : 0;
  const head = bytes.slice(0, 13 + tableSize);
  head[4] = "9".charCodeAt(0); // GIF89a: a control block is none of GIF87a
  head.set([width & 255, width >> 8, height & 255, height >> 8], 6);
  return concatenate([
    head,
    ...(loopCount === undefined ? [] : [loopBlock(loopCount)]),
    ...(profile ? [profile] : []),
    ...frames.flatMap((frame) => [...control(frame), bytes.subarray(frame.descriptorOffset, frame.endOffset)]),
    Uint8Array.of(0x3b),
  ]);
}

/** No graphic control extension where it would have default values only: a file without them must not grow. */
const control = (frame: GifFrame): Uint8Array[] =>
  frame.disposal === "keep" && frame.delayCs === 0 && frame.transparentIndex < 0 ? [] : [controlBlock(frame)];
