import { formats, type Note, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { fitToFormat } from "../../formats/fit-to-format.ts";
import type { Source } from "../../formats/open-source.ts";
import type { DecodedPicture } from "../../raster/decoded-picture.ts";
import { readRows } from "../../raster/read-rows.ts";
import { createResult } from "../../raster/result.ts";
import { resampleSteps } from "../../resample/resample.ts";
import { finishInSteps, type StepContext } from "../../resample/steps.ts";
import type { Geometry } from "./geometry.ts";

export type ResizeStillOptions = {
  geometry: Geometry;
  /** The format of the result. */
  format: OutputFormat;
  /** The colour behind transparent areas. */
  background?: string | undefined;
  /** Paths for temporary files; the caller removes them. */
  temporaryPaths: { source: string; result: string };
  context: StepContext;
};

/** A single-frame picture at its new size, in its own colours and depth. */
export async function resizeStill(
  source: Source,
  { geometry, format, background, temporaryPaths, context }: ResizeStillOptions,
): Promise<{ image: Sharp; decoded?: DecodedPicture | undefined; timing?: undefined; notes: Note[] }> {
  const { image, notes } = await fitToFormat(source, format, background);
  if (isSame(source, geometry)) return { image, notes };
  const { rows, profile } = await openRows(source, { image, format, temporaryPath: temporaryPaths.source });
  try {
    const { width, height } = geometry;
    const result = createResult({ width, height, source: rows, profile, temporaryPath: temporaryPaths.result });
    await finishInSteps(resampleSteps(rows, geometry, result), context);
    return { image: result.open(), decoded: result.decoded, notes };
  } finally {
    rows.close();
  }
}

type Rows = { image: Sharp; format: OutputFormat; temporaryPath: string };

/** The rows of `image`, which reads a still picture for the format, and its profile if the format can store it. */
export async function openRows(source: Source, { image, format, temporaryPath }: Rows) {
  const channels = (source.isGrey ? 1 : 3) + (source.hasAlpha ? 1 : 0);
  const sizeBytes = (source.width * source.height * channels * source.depth) / 8;
  const keepsProfile = source.hasProfile && formats[format].holds.profile;
  const profile = keepsProfile ? (await image.metadata()).icc : undefined;
  return { rows: await readRows(image, { picture: source, sizeBytes, temporaryPath }), profile };
}

const isSame = (source: Source, { width, height, window }: Geometry) =>
  width === source.width && height === source.height && window.width === width && window.height === height;
