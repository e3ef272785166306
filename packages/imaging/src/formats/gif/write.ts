import type { Encoder } from "../encoder.ts";
import { shrinkGif } from "./shrink.ts";

/**
 * GIF, animated if the picture is. libvips quantizes and dithers: choosing the colours in our own encoder gave the same
 * likeness at equal bytes on a pan, and 3 points less on stills. Animations are then re-encoded by `shrinkGif`, which
 * adds a seventh to a half of the time: 45 % fewer bytes for a screen recording, 5 % for a sprite, none for a pan over
 * a photograph (`npm run bench:gif`). With `minimizeBytes` the re-encoding is as lossy as the quality allows.
 */
export const encodeGif: Encoder = async (image, { quality, minimizeBytes = false, signal }) => {
  const { data, info } = await image.gif().toBuffer({ resolveWithObject: true });
  const { width, height, pageHeight = height } = info;
  const isAnimated = pageHeight < height;
  const options = { quality: minimizeBytes ? quality : 100, signal };
  // A still picture gains 1 %: not worth the time.
  const bytes = isAnimated || minimizeBytes ? await shrinkGif(data, options) : data;
  return { bytes, width, height: pageHeight, notes: [] };
};
