import type { IntegerSamples, Raster } from "../raster/raster.ts";

const tileSide = 64;
/** Of the picture's pixels: seven encodings of it then take less than half of one whole encoding. */
const sampledShare = 1 / 24;

/** Square tiles from all over the picture, side by side: together the given share of its pixels. */
export function tilesOf<T extends IntegerSamples>(picture: Raster<T>): Raster<T> {
  const { width, height, channels, data } = picture;
  const tiles = Math.max(4, Math.round((width * height * sampledShare) / tileSide ** 2));
  const across = Math.ceil(Math.sqrt(tiles));
  const [tileWidth, tileHeight] = [Math.min(tileSide, width), Math.min(tileSide, height)];
  const sampled = { width: across * tileWidth, height: across * tileHeight };
  if (sampled.width * sampled.height * 2 > width * height) return picture;
  const samples = data.slice(0, sampled.width * sampled.height * channels) as T; // a slice is of its array's own kind
  const place = (tile: number, side: number, whole: number) =>
    across === 1 ? 0 : Math.floor((tile / (across - 1)) * (whole - side));
  for (let y = 0; y < sampled.height; y++)
    for (let tile = 0; tile < across; tile++) {
      const fromY = place(Math.floor(y / tileHeight), tileHeight, height) + (y % tileHeight);
      const from = (fromY * width + place(tile, tileWidth, width)) * channels;
      samples.set(
        data.subarray(from, from + tileWidth * channels) as Uint8Array & Uint16Array, // of the same kind as `samples`
        (y * sampled.width + tile * tileWidth) * channels,
      );
    }
  return { ...sampled, channels, data: samples, profile: picture.profile };
}
