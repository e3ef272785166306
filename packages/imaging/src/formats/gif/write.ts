import type { Encoder } from "../encoder.ts";
import { withDelays } from "./delays.ts";
import { shrinkGif } from "./shrink.ts";

/**
 * GIF, animated if the picture is. libvips quantizes and dithers: choosing the colours in our own encoder gave the same
 * likeness at equal bytes on a pan, and 3 points less on stills. Animations are then re-encoded by `shrinkGif`, which
 * adds a seventh to a half of the time: 45 % fewer bytes for a screen recording, 5 % for a sprite, none for a pan over
 * a photograph (`npm run bench:gif`). With `minimizeBytes` the re-encoding is as lossy as the quality allows.
 */
export const encodeGif: Encoder = async (image, { quality, minimizeBytes = false, timing, signal }) => {
  const delays = timing?.delays ?? (await image.metadata()).delay;
  // Each frame is kept, so that it gets its delay; `shrinkGif` joins equal ones.
  const { data: untimed, info } = await image.gif({ keepDuplicateFrames: true }).toBuffer({ resolveWithObject: true });
  const { bytes: data, notes } = delays ? withDelays(untimed, delays) : { bytes: untimed, notes: [] };
  const { width, height, pageHeight = height } = info;
  const isAnimated = pageHeight < height;
  const options = { quality: minimizeBytes ? quality : 100, signal };
  // A still picture gains 1 %: not worth the time.
  const bytes = isAnimated || minimizeBytes ? await shrinkGif(data, options) : data;
  return { bytes, width, height: pageHeight, notes };
};
