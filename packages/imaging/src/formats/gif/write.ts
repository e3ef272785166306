import type { Encoder } from "../encoder.ts";
import { shrinkGif } from "./shrink.ts";

/**
 * GIF, moving where the picture moves. Colours are chosen and dithered by libvips: our own choice, made while packing, came
 * to the same likeness at equal bytes on a pan and to 3 points less on stills. Moving pictures are then packed anew, for a
 * seventh to a half of the time more: 45 % fewer bytes for a screen recording, 5 % for a sprite, none for a pan over a
 * photograph (`npm run bench:gif`). With `minimizeBytes`
 * they lose what the quality allows.
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
