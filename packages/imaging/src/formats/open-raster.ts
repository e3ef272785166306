import { depthOf, hasAlpha, type Raster } from "@tintype/codecs/raster";
import { asDecodedPicture } from "../raster/decoded-picture.ts";
import type { InputFile } from "./input-file.ts";
import type { Source } from "./source.ts";

type Facts = Pick<Source, "format" | "notes"> & { file: Pick<InputFile, "path" | "sizeBytes">; pages?: number };

/** The source of a picture that our own decoder has decoded. */
export function openRaster(raster: Raster, { file: { sizeBytes }, pages = 1, ...facts }: Facts): Source {
  const { width, height, channels, data, profile } = raster;
  const { open } = asDecodedPicture(raster);
  return {
    ...facts,
    sizeBytes,
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
