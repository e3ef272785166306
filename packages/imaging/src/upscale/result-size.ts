import type { Size } from "@tintype/codecs/raster";
import { scaleFactors } from "@tintype/contract";
import { formatMegapixels, refusePixels } from "../formats/limits.ts";
import type { PictureLimits } from "../task.ts";

export type ScaleFactor = (typeof scaleFactors)[number];

/**
 * Checked on the header, before a pixel is decoded.
 * @throws too-many-pixels with a sentence that says which factor would fit
 */
export function checkResultSize(
  { width, height }: Size,
  { factor, limits }: { factor: ScaleFactor; limits: PictureLimits },
) {
  const megapixels = (times: number) => (width * height * times * times) / 1e6;
  if (megapixels(factor) <= limits.megapixelsOut) return;
  const fitting = scaleFactors.filter((times) => megapixels(times) <= limits.megapixelsOut).at(-1);
  const sentence = `Enlarged ${factor} times the picture would have ${formatMegapixels(megapixels(factor))} megapixels; your plan allows ${limits.megapixelsOut}.`;
  const side = (px: number) => Math.floor(px * Math.sqrt(limits.megapixelsOut / megapixels(2)));
  refusePixels(
    fitting
      ? `${sentence} Enlarging it ${fitting} times would fit.`
      : `${sentence} It would have to be ${side(width)} x ${side(height)} pixels or less to be enlarged twice.`,
  );
}
