import { rename, rm } from "node:fs/promises";
import type { Rectangle } from "@tintype/codecs/raster";
import type { TaskOptions } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { inColour } from "../../colour/in-colour.ts";
import type { Source } from "../../formats/open-source.ts";
import { writePngRows } from "../../formats/write-picture.ts";
import type { PictureFile } from "../../raster/picture-file.ts";
import type { PictureFacts } from "../../task.ts";
import { shownRows } from "./show-part.ts";

type Options = Pick<TaskOptions<"remove-background">, "mask_only" | "background">;

/** `isFilled`: the subject is already composited over a picture. */
export type CutOutWriteOptions = {
  source: Source;
  options: Options;
  region: Rectangle;
  path: string;
  isFilled: boolean;
  signal: AbortSignal;
};

/** Writes the shown region of a cut-out as PNG: with alpha, over a colour or a picture, or its matte alone. */
export async function writeCutOut(work: PictureFile, writing: CutOutWriteOptions): Promise<PictureFacts> {
  const { source, options, region, path, isFilled, signal } = writing;
  const isAsWanted = source.depth === work.depth && source.isGrey === (work.channels === 2);
  const isFlattened = !options.mask_only && !isFilled && isColour(options.background);
  if (isFlattened || !isAsWanted) return writeConverted(work, writing);
  const { icc } = await sharp(work.path).metadata();
  const kept = options.mask_only ? "alpha" : isFilled ? "colours" : "all";
  const profile = source.hasProfile && kept !== "alpha" ? icc : undefined;
  return writePngRows(path, { ...shownRows(work, { region, kept }), profile }, signal);
}

/** Deflate level 2 with adaptive filters, for pictures that libvips must convert: half the time of its default. */
const quickPng = { compressionLevel: 2, adaptiveFiltering: true } as const;

async function writeConverted(
  work: PictureFile,
  { region, path, ...showing }: CutOutWriteOptions,
): Promise<PictureFacts> {
  const image = sharp(work.path, { limitInputPixels: false }).extract(region);
  const part = `${path}.part`;
  try {
    const { width, height, size } = await shown(image, showing).png(quickPng).toFile(part);
    await rename(part, path);
    return { format: "png", width, height, sizeBytes: size };
  } finally {
    await rm(part, { force: true });
  }
}

type ShowOptions = Pick<CutOutWriteOptions, "source" | "options" | "isFilled">;

export function shown(image: Sharp, { source, options, isFilled }: ShowOptions): Sharp {
  if (options.mask_only) return image.extractChannel("alpha").toColourspace(source.depth === 16 ? "grey16" : "b-w");
  const { background } = options;
  const coloured = inColour(image, source);
  if (isFilled) return coloured.removeAlpha();
  return isColour(background) ? coloured.flatten({ background }) : coloured;
}

export const isColour = (background: Options["background"]): background is string =>
  background !== undefined && background !== "transparent";
