import type { Size } from "@tintype/codecs/raster";
import { scaleFactors } from "@tintype/contract";
import { refusePixels, roundMegapixels } from "../formats/limits.ts";
import type { PictureLimits } from "../task.ts";

export type ScaleFactor = (typeof scaleFactors)[number];

/**
 * Checked on the header, before a pixel is decoded.
 * @throws too-many-pixels with the factor that would fit, or the size of a picture that would
 */
export function checkResultSize(
  { width, height }: Size,
  { factor, limits }: { factor: ScaleFactor; limits: PictureLimits },
) {
  const megapixels = (times: number) => (width * height * times * times) / 1e6;
  if (megapixels(factor) <= limits.megapixelsOut) return;
  const fitting = scaleFactors.filter((times) => megapixels(times) <= limits.megapixelsOut).at(-1);
  const side = (px: number) => Math.floor(px * Math.sqrt(limits.megapixelsOut / megapixels(2)));
  refusePixels({
    code: "enlarged-too-large",
    factor,
    megapixels: roundMegapixels(megapixels(factor)),
    limit: limits.megapixelsOut,
    fitting: fitting ?? { width: side(width), height: side(height) },
  });
}
