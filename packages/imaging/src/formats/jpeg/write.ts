import { DomainError } from "@tintype/contract";
import type { Sharp } from "sharp";
import { chromaFor } from "../../quality/chroma.ts";
import { encodings } from "../../quality/encodings.ts";
import { encoderSetting } from "../../quality/scale.ts";
import { decodePicture } from "../../raster/decoded-picture.ts";
import { hasAlpha, type IntegerSamples } from "../../raster/raster.ts";
import type { Encoded, Encoder } from "../encoder.ts";
import { encodePixels } from "./encode-pixels.ts";
import { quantizerFor } from "./quantizer.ts";

/**
 * Progressive JPEG from our own encoder. It subsamples chroma (4:2:0) if the eye does not see the difference. If the caller
 * knows that the source is subsampled already, the encoder does not inspect the picture. 16 bits become 8. For an urgent picture
 * mozjpeg runs as a stream, without its trellis and always with 4:2:0.
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
  return { bytes: await encodePixels(raster, { quantizer, isHalved, signal }), width, height, notes: [] };
};

async function encodeUrgently(image: Sharp, quality: number): Promise<Encoded> {
  const encoded = encodings["jpeg-420"](image, encoderSetting("jpeg-420", quality), "plain");
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
}

/** From this quality on, chroma of a subsampled source is stored at full size: subsampling it again would lose more. */
const fullColourFrom = 98;

/** The longest side that a JPEG's header can name. */
const longestSide = 65_535;

function checkSides(width: number, height: number): void {
  if (Math.max(width, height) > longestSide)
    throw new DomainError("cannot-process", {
      detail: `The picture has ${width} x ${height} pixels; JPEG holds up to ${longestSide.toLocaleString("en")} a side.`,
    });
}

const inBytes = (samples: IntegerSamples): Uint8Array =>
  samples instanceof Uint16Array ? Uint8Array.from(samples, (value) => Math.round(value / 257)) : samples;
