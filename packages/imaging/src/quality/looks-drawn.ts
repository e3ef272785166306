import type { Held } from "../raster/held.ts";

/** From here on a picture counts as drawn: interfaces and charts have 0.6 to 0.95, photographs 0.02 to 0.25. */
const drawnFrom = 0.4;
/** Rows that are looked at. */
const sampledRows = 200;

/** Whether it is made of even areas, as drawings, interfaces and scanned texts are: what lossless coding is good at. */
export const looksDrawn = (picture: Held): boolean => flatShare(picture) > drawnFrom;

/** The share of pixels that are exactly as their left neighbour, 0..1. */
function flatShare({ width, height, channels, samples }: Held): number {
  const step = Math.max(1, Math.floor(height / sampledRows));
  let [same, seen] = [0, 0];
  for (let y = 0; y < height; y += step) {
    const row = y * width * channels;
    for (let i = row + channels; i < row + width * channels; i += channels) {
      let isSame = true;
      for (let channel = 0; channel < channels; channel++)
        isSame &&= samples[i + channel] === samples[i + channel - channels];
      if (isSame) same += 1;
      seen += 1;
    }
  }
  return seen === 0 ? 1 : same / seen;
}
