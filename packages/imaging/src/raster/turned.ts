import type { Size } from "@tintype/codecs/raster";
import type { Sharp } from "sharp";

/** Clockwise rotation, 0 to 270 degrees, and then the mirror. */
export type Turn = { degrees?: number | undefined; flip?: "horizontal" | "vertical" | undefined };

/** The picture rotated and mirrored; every pixel keeps its value. */
export function turned(image: Sharp, { degrees = 0, flip }: Turn): Sharp {
  const isSideways = degrees % 180 !== 0;
  // sharp mirrors before it rotates, whatever the order of the calls: after a quarter turn the axes are swapped.
  const mirrored = flip === undefined ? image : (flip === "horizontal") === isSideways ? image.flip() : image.flop();
  return degrees === 0 ? mirrored : mirrored.rotate(degrees);
}

/** The size of a picture after a turn. */
export const turnedSize = ({ width, height }: Size, { degrees = 0 }: Turn): Size =>
  degrees % 180 === 0 ? { width, height } : { width: height, height: width };
