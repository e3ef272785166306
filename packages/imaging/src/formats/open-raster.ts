import { depthOf, hasAlpha, type Raster } from "@tintype/codecs/raster";
import type { InputFormat } from "@tintype/contract";
import { asDecodedPicture } from "../raster/decoded-picture.ts";
import type { Source } from "./source.ts";

type Facts = { path: string; format: InputFormat; sizeBytes: number; pages?: number; notes: string[] };

/** The source of a picture that our own decoder has decoded. */
export function openRaster(raster: Raster, { pages = 1, ...facts }: Facts): Source {
  const { width, height, channels, data, profile } = raster;
  const { open } = asDecodedPicture(raster);
  return {
    ...facts,
    width,
    height,
    pages,
    isAnimated: false,
    hasAlpha: hasAlpha(channels),
    isGrey: channels < 3,
    hasProfile: profile !== undefined,
    depth: depthOf(data),
    read: ({ colour } = {}) => open(colour),
  };
}
