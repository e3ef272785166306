import type { IntegerSamples, Raster } from "../raster/samples.ts";

/** Drawings, interfaces and scanned lines have 0.5 to 0.95, photographs 0.02 to 0.25. */
const drawnFrom = 0.4;
/** Rows that are looked at. */
const sampledRows = 200;

/** Whether a picture is made of even areas: whether so many pixels are exactly as their left neighbour. */
export function looksDrawn({ data, width, height, channels }: Raster<IntegerSamples>): boolean {
  const step = Math.max(1, Math.floor(height / sampledRows));
  let [same, seen] = [0, 0];
  for (let y = 0; y < height; y += step)
    for (let i = (y * width + 1) * channels; i < (y + 1) * width * channels; i += channels) {
      let isSame = true;
      for (let c = i; c < i + channels; c += 1) isSame &&= data[c] === data[c - channels];
      same += Number(isSame);
      seen += 1;
    }
  return same >= drawnFrom * seen;
}
