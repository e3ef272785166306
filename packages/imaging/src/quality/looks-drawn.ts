import type { Raster } from "@tintype/codecs/raster";

/** Drawings, interfaces and scanned text have a share of 0.5 to 0.95, photographs 0.02 to 0.25. */
const minShare = 0.4;
const sampledRows = 200;

/**
 * Whether the picture consists of flat areas, as drawings, interfaces and scanned text do: more than `minShare` of
 * its pixels equal their left neighbour. Lossless coding suits such pictures.
 */
export function looksDrawn({ width, height, channels, data }: Raster): boolean {
  if (width === 1) return true;
  const step = Math.max(1, Math.floor(height / sampledRows));
  let [same, seen] = [0, 0];
  for (let y = 0; y < height; y += step)
    for (let i = (y * width + 1) * channels; i < (y + 1) * width * channels; i += channels) {
      let isSame = true;
      for (let c = i; c < i + channels; c++) isSame &&= data[c] === data[c - channels];
      same += Number(isSame);
      seen += 1;
    }
  return same / seen > minShare;
}
