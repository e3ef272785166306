import type { Size } from "@tintype/codecs/raster";
import sharp from "sharp";
import type { Source } from "../../formats/open-source.ts";
import { brokenImage } from "../../raster/broken-image.ts";
import type { CropShares } from "./geometry.ts";

/** px: the longer side of the crop that is tried. Attention needs no detail. */
const triedPx = 256;

/**
 * Where a crop of this ratio shows what draws the eye: libvips' attention, which weighs edges, saturated colours and
 * skin tones. Of an animation, by its first frame.
 * @throws broken-image
 */
export async function findSubject(source: Source, { width, height }: Size): Promise<CropShares> {
  const scale = triedPx / Math.max(width, height);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  const box = { width: side(width), height: side(height) };
  const { info } = await source
    .read({ frames: "first", colour: "srgb" })
    .resize({ ...box, fit: "cover", position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(brokenImage);
  const covering = Math.max(box.width / source.width, box.height / source.height);
  const share = (offset: number | undefined, length: number, kept: number) => {
    const free = Math.round(length * covering) - kept;
    return free > 0 ? Math.min(1, Math.max(0, -(offset ?? 0) / free)) : 0.5;
  };
  return {
    across: share(info.cropOffsetLeft, source.width, box.width),
    down: share(info.cropOffsetTop, source.height, box.height),
  };
}
