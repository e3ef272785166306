import type { Rectangle } from "@tintype/codecs/raster";
import sharp from "sharp";
import { inColour } from "../colour/in-colour.ts";
import type { Source } from "../formats/open-source.ts";
import type { ModelRow } from "../model/row.ts";
import { planesOf } from "../model/tensor.ts";
import type { PictureFile } from "../raster/picture-file.ts";
import { resampleLanczos } from "../resample/lanczos.ts";

export type InputSides = { heightPx: number; widthPx: number };

/** The side of the input, px, of a model that accepts any size. */
const freeSide = 1024;

/** The sides of the model's input: fixed by the model, or else `freeSide` rounded to a multiple it accepts. */
export function sidesFor({ size }: ModelRow["input"]): InputSides {
  if (size.kind === "fixed") return { heightPx: size.heightPx, widthPx: size.widthPx };
  const side = Math.max(1, Math.round(freeSide / size.multipleOf)) * size.multipleOf;
  return { heightPx: side, widthPx: side };
}

/**
 * A crop of the picture as the model expects it: in sRGB, flattened over white, stretched to the model's sides.
 * @param exponent of each channel's 0..1: above 1 the model sees a darker picture
 * @returns float32 [1, 3, heightPx, widthPx]
 */
export async function modelInput(
  work: PictureFile,
  { source, region, row, exponent = 1 }: { source: Source; region: Rectangle; row: ModelRow; exponent?: number },
): Promise<Float32Array> {
  const { heightPx, widthPx } = sidesFor(row.input);
  const isReduced = region.width >= widthPx && region.height >= heightPx;
  const image = inColour(sharp(work.path, { limitInputPixels: false }), source, "srgb")
    .extract(region)
    .flatten({ background: "#ffffff" })
    .toColourspace(work.channels === 2 ? "b-w" : "srgb");
  // libvips reduces well, but shifts an enlargement by half a pixel.
  const { data, info } = await (isReduced ? image.resize(widthPx, heightPx, { fit: "fill", kernel: "linear" }) : image)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const channels = info.channels === 1 ? 1 : 3;
  const picture = {
    data: new Uint8Array(data.buffer, data.byteOffset, data.length),
    width: info.width,
    height: info.height,
    channels,
  } as const;
  const samples = isReduced ? picture.data : resampleLanczos(picture, { width: widthPx, height: heightPx }).data;
  return planesOf(samples, { channels, input: row.input, exponent });
}
