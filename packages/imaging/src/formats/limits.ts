import { DomainError } from "@tintype/contract";
import type { PictureLimits } from "../task.ts";

/**
 * All frames of a moving picture together may have this many times the pixels of one picture. A frame costs far less
 * than a still, and real animations are long: 1024 x 512 in 481 frames is 252 megapixels, which a plan of 200 must
 * accept. Twice keeps the worst case, all frames as RGBA, at 8 bytes for each pixel of the plan.
 */
export const framesMultiple = 2;

/** Frames of one pixel each cost time too: ten minutes at 16 frames a second are enough. */
export const maxFrames = 10_000;

type Extent = { width: number; height: number; frames?: number };

/** @throws too-many-pixels, with a sentence that names the number and the limit */
export function checkPixels({ width, height, frames = 1 }: Extent, limits: PictureLimits): void {
  const megapixels = (width * height) / 1e6;
  limits.reportMegapixels?.(megapixels * frames);
  const { megapixelsIn } = limits;
  if (megapixels > megapixelsIn)
    refuse(`The picture has ${say(megapixels)} megapixels; your plan takes up to ${megapixelsIn}.`);
  if (megapixels * frames > megapixelsIn * framesMultiple)
    refuse(
      `The ${frames} frames have ${say(megapixels * frames)} megapixels together; your plan takes up to ${megapixelsIn * framesMultiple} for a moving picture.`,
    );
  if (frames > maxFrames) refuse(`The picture has ${frames} frames; up to ${maxFrames} are taken.`);
}

/** One decimal, and never one that rounds an excess down to the limit itself. */
const say = (megapixels: number) => (Math.ceil(megapixels * 10) / 10).toFixed(1);

function refuse(detail: string): never {
  throw new DomainError("too-many-pixels", { detail });
}
