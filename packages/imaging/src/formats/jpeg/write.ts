import type { Sharp } from "sharp";
import { chromaFor } from "../../quality/chroma.ts";
import { encodings } from "../../quality/encodings.ts";
import { encoderSetting } from "../../quality/scale.ts";
import { decodePicture } from "../../raster/decoded-picture.ts";
import { hasAlpha } from "../../raster/raster.ts";
import type { Encoded, EncodeOptions, Encoder } from "../encoder.ts";
import { encodePixels } from "./encode-pixels.ts";
import { quantizerFor } from "./quantizer.ts";

/**
 * Progressive JPEG. It stores colour at half size if the eye does not see the difference. If the caller knows that the
 * source did so already, the encoder does not inspect the picture. With `minimizeBytes` our own encoder writes it, which
 * takes a fifth fewer bytes than mozjpeg's for the same likeness; mozjpeg writes all others, and what ours does not take.
 */
export const encodeJpeg: Encoder = async (image, options) => {
  if (options.minimizeBytes) {
    const own = await encodeOwn(image, options);
    if (own) return own;
  }
  const { encoding, source } = await choose(image, options);
  const effort = options.minimizeBytes ? "thorough" : options.isUrgent ? "plain" : "quick";
  const encoded = encodings[encoding](source, encoderSetting(encoding, options.quality), effort);
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
};

/** The longest side that a JPEG's header can name. */
const longestSide = 65_535;

/** Undefined for samples of 16 bits, transparency, and more pixels than a JPEG holds. */
async function encodeOwn(
  image: Sharp,
  { quality, hasHalvedColour, decoded, signal }: EncodeOptions,
): Promise<Encoded | undefined> {
  const picture = decoded ?? (await decodePicture(image));
  const { width, height, channels, data, profile } = picture;
  if (data instanceof Uint16Array || hasAlpha(channels) || Math.max(width, height) > longestSide) return undefined;
  const isHalved = (hasHalvedColour && quality < fullColourFrom) || chromaFor(picture, quality) === "4:2:0";
  const setting = encoderSetting(isHalved ? "own-jpeg-420" : "own-jpeg-444", quality);
  const quantizer = quantizerFor({ setting, isHalved });
  const bytes = await encodePixels({ width, height, channels, data, profile }, { quantizer, isHalved, signal });
  return { bytes, width, height, notes: [] };
}

type Choice = { encoding: "jpeg-420" | "jpeg-444"; source: Sharp };

async function choose(image: Sharp, { quality, hasHalvedColour, decoded: known }: EncodeOptions): Promise<Choice> {
  if (hasHalvedColour && quality < fullColourFrom) return { encoding: "jpeg-420", source: image };
  const picture = known ?? (await decodePicture(image));
  return { encoding: chromaFor(picture, quality) === "4:4:4" ? "jpeg-444" : "jpeg-420", source: picture.open() };
}

/** At the top even halved colour is stored in full: halving smoothed colour again would lose more. */
const fullColourFrom = 98;
