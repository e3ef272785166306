import type { Raster } from "@tintype/codecs/raster";
import sharp, { type Sharp } from "sharp";
import { chromaFor } from "../../quality/chroma.ts";
import { detailOf } from "../../quality/detail.ts";
import { encodings } from "../../quality/encodings.ts";
import { looksComputed } from "../../quality/looks-computed.ts";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { createSampleScorer } from "../../quality/sample.ts";
import { encoderSetting } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { chooseLossyOrLossless } from "../choose-lossy-or-lossless.ts";
import type { Encoded, Encoder } from "../encoder.ts";
import { isSmallPicture } from "../ordered-encoder.ts";

/**
 * 8-bit AVIF. 10 bits would save 3 to 7 % from quality 70 on, but nearly every reader decodes them to 16 bits, which
 * doubles the cost of all later steps. Quality 100 is lossless, and so are gradients that a program drew, where that is
 * smaller: in small pictures `orderedEncoder` tries it.
 */
export const encodeAvif: Encoder = async (image, { quality, decoded: known, signal }) => {
  const picture = known ?? (await decodePicture(image));
  const effort = effortFor(picture.width * picture.height);
  const encodeExactly = () => write(picture.open().avif({ lossless: true, effort }));
  if (quality === 100) return encodeExactly();
  const encoding = await avifEncoding(picture, quality);
  const setting = encoderSetting(encoding, quality, detailOf(picture));
  const lossy = await write(encodings[encoding](picture.open(), setting, effort));
  if (isSmallPicture(picture) || looksDrawn(picture) || !looksComputed(picture)) return lossy;
  signal?.throwIfAborted();
  return chooseLossyOrLossless({ exact: [await encodeExactly()], lossy: [lossy] }, ({ bytes }) => bytes.length);
};

async function write(image: Sharp): Promise<Encoded> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
}

/**
 * AV1 codes chroma so cheaply that from here on subsampling costs more than it saves: at the same SSIMULACRA 2, 4:4:4
 * took about 5 % fewer bytes of four photographs at 82, 10 % at 92 and 20 % at 96. At 70 both took the same.
 */
const fullColourFrom = 80;

/** The chroma subsampling that looks better for its bytes at this quality (below 100). */
export async function avifEncoding(picture: DecodedPicture, quality: number): Promise<"avif-444" | "avif-420"> {
  if (quality >= fullColourFrom || chromaFor(picture, quality) === "4:4:4") return "avif-444";
  if (!isShallow(picture) || chromaFor(picture, doubtfulUpTo) === "4:2:0" || !looksDrawn(picture)) return "avif-420";
  return fullColourOnTrial(picture, quality);
}

/**
 * The quantizer of AV1 at each quality of this picture, as a number that rises with quality: libheif maps its 100
 * settings to the 64 of libaom (`cq_level`). Drawings whose subsampling is chosen on trial count as subsampled.
 */
export function avifQuantizers(picture: DecodedPicture): (quality: number) => number {
  const detail = detailOf(picture);
  const hasFullColour = (quality: number) => quality >= fullColourFrom || chromaFor(picture, quality) === "4:4:4";
  const [lowest, highest] = [hasFullColour(1), hasFullColour(fullColourFrom - 1)];
  return (quality) => {
    if (quality >= 100) return Number.POSITIVE_INFINITY;
    const isFull = lowest || (highest && quality < fullColourFrom ? hasFullColour(quality) : quality >= fullColourFrom);
    const setting = encoderSetting(isFull ? "avif-444" : "avif-420", quality, detail);
    const quantizer = quantizers - 1 - Math.floor(((100 - setting) * (quantizers - 1) + 50) / 100);
    return isFull ? quantizer + quantizers : quantizer;
  };
}

const quantizers = 64;

/** A drawing that is subsampled even at this quality has so little colour that it loses nothing at any quality. */
const doubtfulUpTo = 97;

const isShallow = (picture: Raster): picture is Raster<Uint8Array> => picture.data instanceof Uint8Array;

/**
 * No measure of a drawing predicts the cost of 4:4:4: at the same SSIMULACRA 2 it took 25 to 35 % fewer bytes for a
 * dark chat, and up to 20 % more for a light desktop. So both are encoded from a sample at low effort, which takes a
 * quarter of a second for any size. Effort 1 made the wrong choice more often.
 */
async function fullColourOnTrial(picture: Raster<Uint8Array>, quality: number) {
  const { sample, likeness } = createSampleScorer({ ...picture, profile: undefined });
  const effort = 2;
  const tried = async (encoding: "avif-444" | "avif-420") => {
    const encoded = encodings[encoding](asDecodedPicture(sample).open(), encoderSetting(encoding, quality), effort);
    const bytes = await encoded.toBuffer();
    const decoded = sample.channels === 4 ? sharp(bytes).ensureAlpha() : sharp(bytes).removeAlpha();
    return { bytes: bytes.length, score: likeness({ ...sample, data: await decoded.raw().toBuffer() }) };
  };
  const [full, halved] = [await tried("avif-444"), await tried("avif-420")];
  const isWorthIt = Math.log(full.bytes / halved.bytes) < bytesPerPoint * (full.score - halved.score);
  return isWorthIt ? "avif-444" : "avif-420";
}

/** The growth of a drawing's size, as a natural logarithm, per point of SSIMULACRA 2 between 70 and 90. */
const bytesPerPoint = 0.055;

/**
 * Seconds per megapixel on one core of 2026: effort 4 takes 2.3 to 4.4, 3 takes 0.5 to 0.8, 2 takes 0.3 to 0.5, 1 takes
 * 0.2 to 0.3; each step down costs 5 to 6 % more bytes. These limits encode 12 MP in under ten seconds, and 200 MP in a
 * minute.
 */
export function effortFor(pixels: number): number {
  if (pixels <= 0.5e6) return 4;
  if (pixels <= 16e6) return 3;
  return pixels <= 40e6 ? 2 : 1;
}
