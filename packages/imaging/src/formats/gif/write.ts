import type { Encoder } from "../encoder.ts";
import { shrinkGif } from "./shrink.ts";

/**
 * GIF, moving if the picture moves. libvips chooses and dithers the colours: our own choice during packing gave the
 * same likeness at equal bytes on a pan and 3 points less on stills. Moving pictures are then repacked, which takes a
 * seventh to a half of the time more: 45 % fewer bytes for a screen recording, 5 % for a sprite, none for a pan over a
 * photograph (`npm run bench:gif`). With `minimizeBytes` they lose as much as the quality allows.
 */
export const encodeGif: Encoder = async (image, { quality, minimizeBytes = false, signal }) => {
  const { data, info } = await image.gif().toBuffer({ resolveWithObject: true });
  const { width, height, pageHeight = height } = info;
  const isMoving = pageHeight < height;
  const options = { quality: minimizeBytes ? quality : 100, ...(signal ? { signal } : {}) };
  // A still one gains a hundredth: not worth the time.
  const bytes = isMoving || minimizeBytes ? await shrinkGif(data, options) : data;
  return { bytes, width, height: pageHeight, notes: [] };
};
