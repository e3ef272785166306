import { setImmediate } from "node:timers/promises";
import { encodePixels, quantizerFor } from "@tintype/codecs/jpeg/encode";
import { hasAlpha, type IntegerSamples } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import type { Sharp } from "sharp";
import { chromaFor } from "../../quality/chroma.ts";
import { encodings } from "../../quality/encodings.ts";
import { encoderSetting } from "../../quality/scale.ts";
import { decodePicture } from "../../raster/decoded-picture.ts";
import type { Encoded, Encoder } from "../encoder.ts";
import { longestSidePx } from "../limits.ts";

/**
 * Progressive JPEG from our own encoder. Chroma is subsampled (4:2:0) where the difference is not visible. Below
 * quality 98, a source known to be 4:2:0 stays 4:2:0 without an inspection of its samples. 16 bits are reduced to 8,
 * alpha is flattened on white. For an urgent picture mozjpeg encodes a stream, always 4:2:0 and without trellis
 * quantization.
 */
export const encodeJpeg: Encoder = async (image, { quality, hasHalvedColour, isUrgent, decoded, signal }) => {
  if (isUrgent) return encodeUrgently(image, quality);
  const known = decoded ?? (await decodePicture(image));
  const picture = hasAlpha(known.channels)
    ? await decodePicture(known.open().flatten({ background: "#ffffff" }))
    : known;
  const { width, height, channels, data, profile } = picture;
  checkSides(width, height);
  const isHalved = (hasHalvedColour && quality < fullColourFrom) || chromaFor(picture, quality) === "4:2:0";
  const setting = encoderSetting(isHalved ? "own-jpeg-420" : "own-jpeg-444", quality);
  const quantizer = quantizerFor({ setting, isHalved });
  const raster = { width, height, channels, profile, data: inBytes(data) };
  return {
    bytes: await encodePixels(raster, { quantizer, isHalved, pause: setImmediate, signal }),
    width,
    height,
    notes: [],
  };
};

async function encodeUrgently(image: Sharp, quality: number): Promise<Encoded> {
  const encoded = encodings["jpeg-420"](image, encoderSetting("jpeg-420", quality), "plain");
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
}

/**
 * From this quality on, a 4:2:0 source is inspected like any other, and stored as 4:4:4 unless its chroma is flat:
 * subsampling it again would lose more.
 */
const fullColourFrom = 98;

function checkSides(width: number, height: number): void {
  if (Math.max(width, height) > longestSidePx.jpeg)
    throw new DomainError("cannot-process", {
      reason: { code: "jpeg-too-long", width, height, limit: longestSidePx.jpeg },
    });
}

const inBytes = (samples: IntegerSamples): Uint8Array =>
  samples instanceof Uint16Array ? Uint8Array.from(samples, (value) => Math.round(value / 257)) : samples;
