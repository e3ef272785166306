import type { Sharp } from "sharp";
import { chromaFor } from "../../quality/chroma.ts";
import { encodings } from "../../quality/encodings.ts";
import { encoderSetting } from "../../quality/scale.ts";
import { decodePicture } from "../../raster/decoded-picture.ts";
import type { EncodeOptions, Encoder } from "../encoder.ts";

/**
 * Progressive JPEG by mozjpeg. It stores colour at half size if the eye does not see the difference. If the caller
 * knows that the source did so already, the encoder does not inspect the picture.
 */
export const encodeJpeg: Encoder = async (image, options) => {
  const { encoding, source } = await choose(image, options);
  const effort = options.minimizeBytes ? "thorough" : options.isUrgent ? "plain" : "quick";
  const encoded = encodings[encoding](source, encoderSetting(encoding, options.quality), effort);
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
};

type Choice = { encoding: "jpeg-420" | "jpeg-444"; source: Sharp };

async function choose(image: Sharp, { quality, hasHalvedColour, decoded: known }: EncodeOptions): Promise<Choice> {
  if (hasHalvedColour && quality < fullColourFrom) return { encoding: "jpeg-420", source: image };
  const picture = known ?? (await decodePicture(image));
  return { encoding: chromaFor(picture, quality) === "4:4:4" ? "jpeg-444" : "jpeg-420", source: picture.open() };
}

/** At the top even halved colour is stored in full: halving smoothed colour again would lose more. */
const fullColourFrom = 98;
