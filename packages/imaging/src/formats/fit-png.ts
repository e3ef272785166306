import { asDecodedPicture, type DecodedPicture } from "../raster/decoded-picture.ts";
import type { IntegerSamples, Raster } from "../raster/raster.ts";
import { type ByteLimit, type Fitted, fitBytes } from "./fit-bytes.ts";
import { encodePng } from "./png/write.ts";

const tileSide = 64;
/** Of the picture's pixels: seven encodings of it then take less than half of one whole encoding. */
const sampledShare = 1 / 24;
/** A sample errs by a few percent; another encoding of the whole costs more than those. */
const carefulUse = 0.97;

/**
 * As `fitBytes`, for PNG, where one encoding takes seconds: the quality is found on a sample of the picture, by what the
 * sample's bytes are to the whole's, and the whole is encoded once, or twice where the sample was too hopeful.
 */
export async function fitPng(
  picture: DecodedPicture,
  { signal, ...limit }: ByteLimit & { signal?: AbortSignal | undefined },
): Promise<Fitted> {
  const encode = (quality: number) =>
    encodePng(picture.open(), { quality, minimizeBytes: true, ...(signal ? { signal } : {}) });
  const sample = sampleOf(picture);
  const small = asDecodedPicture(sample);
  const encodeSample = (quality: number) =>
    encodePng(small.open(), { quality, minimizeBytes: true, ...(signal ? { signal } : {}) });
  let ratio = (picture.width * picture.height) / (sample.width * sample.height);
  let smallestBytes = Number.POSITIVE_INFINITY;
  for (const tries of [2, 1]) {
    const { best } = await fitBytes({
      ...limit,
      ...{ maxBytes: (limit.maxBytes / ratio) * carefulUse, encode: encodeSample, mostEncodes: 7, signal },
    });
    const quality = best?.quality ?? limit.minQuality;
    const encoded = await encode(quality);
    const bytes = encoded.bytes.length;
    smallestBytes = Math.min(smallestBytes, bytes);
    if (bytes <= limit.maxBytes) return { best: { ...encoded, quality }, smallestBytes };
    if (quality <= limit.minQuality) return { best: undefined, smallestBytes };
    if (tries === 2) ratio = bytes / (await encodeSample(quality)).bytes.length;
  }
  const last = await encode(limit.minQuality);
  smallestBytes = Math.min(smallestBytes, last.bytes.length);
  return {
    best: last.bytes.length <= limit.maxBytes ? { ...last, quality: limit.minQuality } : undefined,
    smallestBytes,
  };
}

/** Square tiles from all over the picture, side by side: together the given share of its pixels. */
function sampleOf(picture: Raster): Raster {
  const { width, height, channels, data } = picture;
  const tiles = Math.max(4, Math.round((width * height * sampledShare) / tileSide ** 2));
  const across = Math.ceil(Math.sqrt(tiles));
  const [tileWidth, tileHeight] = [Math.min(tileSide, width), Math.min(tileSide, height)];
  const sampled = { width: across * tileWidth, height: across * tileHeight };
  if (sampled.width * sampled.height * 2 > width * height) return picture;
  const samples: IntegerSamples =
    data instanceof Uint16Array
      ? new Uint16Array(sampled.width * sampled.height * channels)
      : new Uint8Array(sampled.width * sampled.height * channels);
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
