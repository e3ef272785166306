import { asDecodedPicture, type DecodedPicture } from "../raster/decoded-picture.ts";
import { type ByteLimit, type Fitted, fitBytes } from "./fit-bytes.ts";
import { fitQuantizedPng } from "./fit-quantized-png.ts";
import { suitsQuantizing } from "./png/candidates.ts";
import { encodePng } from "./png/write.ts";
import { isShallow } from "./reduce-depth.ts";
import { tilesOf } from "./tiles.ts";

/** A sample errs by a few percent; another encoding of the whole costs more than those. */
const carefulUse = 0.97;

type PngLimit = ByteLimit & { signal?: AbortSignal | undefined };

/** As `fitBytes`, for PNG, where one encoding takes seconds. */
export const fitPng = (picture: DecodedPicture, limit: PngLimit): Promise<Fitted> =>
  isShallow(picture) && suitsQuantizing(picture) ? fitQuantizedPng(picture, limit) : fitOnSample(picture, limit);

/**
 * For drawings and 16 bits: the quality is found on a sample of the picture, by what the sample's bytes are to the whole's,
 * and the whole is encoded once, or twice where the sample was too hopeful.
 */
async function fitOnSample(picture: DecodedPicture, { signal, ...limit }: PngLimit): Promise<Fitted> {
  const encode = (quality: number) =>
    encodePng(picture.open(), { quality, minimizeBytes: true, ...(signal ? { signal } : {}) });
  const sample = tilesOf(picture);
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
