import { chromaFor } from "../quality/chroma.ts";
import { encodings } from "../quality/encodings.ts";
import { encoderSetting } from "../quality/scale.ts";
import { decodePicture } from "../raster/decoded-picture.ts";
import type { Encoder } from "./encoder.ts";

/**
 * AVIF of 8 bits. 10 bits would save 3 to 7 % from quality 70 on, but nearly every reader decodes them to 16 bits,
 * which doubles the cost of everything that follows. Quality 100 is lossless.
 */
export const encodeAvif: Encoder = async (image, { quality, decoded: known }) => {
  const picture = known ?? (await decodePicture(image));
  const effort = effortFor(picture.width * picture.height);
  const isFull = quality >= fullColourFrom || chromaFor(picture, quality) === "4:4:4";
  const encoding = isFull ? "avif-444" : "avif-420";
  const encoded =
    quality === 100
      ? picture.open().avif({ lossless: true, effort })
      : encodings[encoding](picture.open(), encoderSetting(encoding, quality), effort);
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
};

/**
 * AV1 stores colour so cheaply that from here on halving it costs more than it saves: at the same SSIMULACRA 2 colour in
 * full took about 5 % fewer bytes of four photographs at 82, 10 % at 92 and 20 % at 96. At 70 both took the same.
 */
const fullColourFrom = 80;

/**
 * Seconds a megapixel on one core of 2026: effort 4 takes 2.3 to 4.4, 3 takes 0.5 to 0.8, 2 takes 0.3 to 0.5, 1 takes
 * 0.2 to 0.3; each step costs 5 to 6 % more bytes. These limits write 12 MP in under ten seconds, and 200 MP in a
 * minute.
 */
function effortFor(pixels: number): number {
  if (pixels <= 0.5e6) return 4;
  if (pixels <= 16e6) return 3;
  return pixels <= 40e6 ? 2 : 1;
}
