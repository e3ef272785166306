import type { Sharp } from "sharp";
import { chromaFor } from "../content/chroma.ts";
import { settingFor } from "../quality/scale.ts";
import { ways } from "../quality/ways.ts";
import type { Encoder } from "./encoder.ts";
import { holdPixels } from "./held.ts";

/**
 * Progressive JPEG by mozjpeg. Colour is stored at half size where the eye does not see it; where the caller knows that
 * it was so already, the picture is not looked at, and nothing is spent beyond the encoding.
 */
export const encodeJpeg: Encoder = async (image, { quality, hasHalvedColour = false }) => {
  const { data, info } = await (await pipeline(image, { quality, hasHalvedColour })).toBuffer({
    resolveWithObject: true,
  });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
};

type Options = { quality: number; hasHalvedColour: boolean };

async function pipeline(image: Sharp, { quality, hasHalvedColour }: Options): Promise<Sharp> {
  if (hasHalvedColour && quality < fullColourFrom) return ways["jpeg-420"](image, settingFor("jpeg-420", quality));
  const held = await holdPixels(image);
  const way = chromaFor(held, quality) === "4:4:4" ? "jpeg-444" : "jpeg-420";
  return ways[way](held.open(), settingFor(way, quality));
}

/** At the top even colour that was halved before is stored in full: halving what was smoothed out costs once more. */
const fullColourFrom = 98;
