import { DomainError, type Reason } from "@tintype/contract";
import type { PictureLimits } from "../task.ts";

/**
 * All frames of an animation together may have this multiple of the pixels of one picture. A frame costs far less than
 * a still picture, and real animations are long: 481 frames of 1024 x 512 are 252 megapixels, which a plan of 200 must
 * accept. With a multiple of 2, the worst case, all frames as RGBA, takes 8 bytes per pixel of the plan.
 */
export const framesMultiple = 2;

/** Frames of one pixel cost time too. 10,000 are ten minutes at 16 frames per second. */
export const maxFrames = 10_000;

/** The longest side, px, by the encoder or the format: libjpeg, libwebp, GIF89a, libheif as sharp builds it. */
export const longestSidePx = { jpeg: 65_500, webp: 16_383, gif: 65_535, avif: 16_384 } as const;

type Extent = { width: number; height: number; frames?: number };

/** @throws too-many-pixels, with the number and the limit */
export function checkPixels({ width, height, frames = 1 }: Extent, limits: PictureLimits): void {
  const megapixels = (width * height) / 1e6;
  limits.reportMegapixels?.(megapixels * frames);
  const { megapixelsIn } = limits;
  if (megapixels > megapixelsIn)
    refusePixels({ code: "picture-too-large", megapixels: roundMegapixels(megapixels), limit: megapixelsIn });
  if (megapixels * frames > megapixelsIn * framesMultiple)
    refusePixels({
      code: "animation-too-large",
      frames,
      megapixels: roundMegapixels(megapixels * frames),
      limit: megapixelsIn * framesMultiple,
    });
  if (frames > maxFrames) refusePixels({ code: "too-many-frames", frames, limit: maxFrames });
}

/** Megapixels to one decimal, rounded up: an excess is never reported as the limit itself. */
export const roundMegapixels = (megapixels: number): number => Math.ceil(megapixels * 10) / 10;

export function refusePixels(reason: Reason): never {
  throw new DomainError("too-many-pixels", { reason });
}
