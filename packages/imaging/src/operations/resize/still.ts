import type { Rectangle, RowReader } from "@tintype/codecs/raster";
import { formats, type Note, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { fitToFormat } from "../../formats/fit-to-format.ts";
import type { Source } from "../../formats/open-source.ts";
import type { DecodedPicture } from "../../raster/decoded-picture.ts";
import { readRows } from "../../raster/read-rows.ts";
import { createResult, type Result } from "../../raster/result.ts";
import { resampleSteps } from "../../resample/resample.ts";
import { finishInSteps, type StepContext } from "../../resample/steps.ts";
import { type Canvas, canvasIn, canvasRows, colourUnder, isNeutral, onCanvas, rowsFor } from "./canvas.ts";
import type { Geometry } from "./geometry.ts";

export type ResizeStillOptions = {
  geometry: Geometry;
  /** The format of the result. */
  format: OutputFormat;
  /** The colour behind transparent areas. */
  background?: string | undefined;
  /** What lies around and behind the picture, if the geometry places it. */
  canvas?: Canvas | undefined;
  /** Paths for temporary files; the caller removes them. */
  temporaryPaths: { source: string; result: string };
  context: StepContext;
};

type Resized = { image: Sharp; decoded?: DecodedPicture | undefined; timing?: undefined; notes: Note[] };

/** A single-frame picture at its new size, in its own colours and depth. */
export async function resizeStill(source: Source, options: ResizeStillOptions): Promise<Resized> {
  const { geometry, format, background, canvas, temporaryPaths, context } = options;
  if (geometry.placed && canvas !== undefined)
    return placeStill(source, { ...options, placed: geometry.placed, canvas });
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

type PlaceOptions = ResizeStillOptions & { placed: Rectangle; canvas: Canvas };

/** The same on a canvas. A coloured one is sRGB, and so then is the picture. */
async function placeStill(
  source: Source,
  { geometry, placed, format, canvas: wanted, temporaryPaths, context }: PlaceOptions,
): Promise<Resized> {
  const canvas = canvasIn(wanted, format);
  const fitted = await fitToFormat(source, format, colourUnder(canvas));
  const isConverted = source.hasProfile && !isNeutral(canvas);
  const read = isConverted ? ({ ...source, ...srgb } satisfies Source) : source;
  const own = isConverted ? source.read({ frames: "first", colour: "srgb" }) : fitted.image;
  const image = isConverted && source.hasAlpha ? own.flatten({ background: canvas }) : own;
  const { rows, profile } = await openRows(read, { image, format, temporaryPath: temporaryPaths.source });
  try {
    const picture = { image, rows, profile, depth: read.depth };
    const result = await drawOnCanvas(picture, {
      ...{ geometry, placed, canvas, temporaryPath: temporaryPaths.result, context },
    });
    const notes: Note[] = [
      ...fitted.notes,
      ...(wanted === canvas ? [] : [{ code: "transparency-lost", format } as const]),
      ...(isConverted && formats[format].holds.profile ? [{ code: "colours-converted-for-canvas" } as const] : []),
    ];
    return { image: result.open(), decoded: result.decoded, notes };
  } finally {
    rows.close();
  }
}

type Read = { image: Sharp; rows: RowReader; profile?: Uint8Array | undefined; depth: 8 | 16 };
type Ground = Pick<PlaceOptions, "geometry" | "placed" | "canvas" | "context"> & { temporaryPath: string };

/** A picture, resampled to its place on a canvas. */
export async function drawOnCanvas({ image, rows, profile, depth }: Read, ground: Ground): Promise<Result> {
  const { geometry, placed, canvas, temporaryPath, context } = ground;
  const { width, height, window } = geometry;
  const size = { width, height };
  const suited = rowsFor(canvas, rows);
  const behind = await canvasRows({ canvas, size, rows: suited, image, depth, temporaryPath });
  const result = createResult({ ...size, source: suited, profile, temporaryPath });
  const sink = onCanvas(result, { size, placed, channels: suited.channels, canvas: behind });
  await finishInSteps(resampleSteps(suited, { width: placed.width, height: placed.height, window }, sink), context);
  return result;
}

const srgb = { isGrey: false, depth: 8, hasProfile: false } as const;

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
