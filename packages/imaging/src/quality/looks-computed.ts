import type { Raster } from "@tintype/codecs/raster";

/** Gradients that a program drew have a share of 0.95 to 1, photographs 0 to 0.5, and 0.7 before a plain wall. */
const minShare = 0.8;
const sampledRows = 200;

/**
 * Whether the picture is free of noise, as flat areas and gradients that a program drew are: in more than `minShare` of
 * its pixels each sample is exactly left + above - upper left (as PNG's Paeth predictor estimates it: PNG, third
 * edition, 9.4). Such a picture may take fewer bytes without loss than with it.
 */
export function looksComputed({ width, height, channels, data }: Raster): boolean {
  if (width === 1 || height === 1) return true;
  const step = Math.max(1, Math.floor(height / sampledRows));
  const down = width * channels;
  let [predicted, seen] = [0, 0];
  for (let y = 1; y < height; y += step)
    for (let i = y * down + channels; i < (y + 1) * down; i += channels) {
      let isPredicted = true;
      for (let c = i; c < i + channels; c++) {
        const estimate = (data[c - channels] ?? 0) + (data[c - down] ?? 0) - (data[c - down - channels] ?? 0);
        isPredicted &&= data[c] === estimate;
      }
      predicted += Number(isPredicted);
      seen += 1;
    }
  return predicted / seen > minShare;
}
