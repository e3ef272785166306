import { rm } from "node:fs/promises";
import { rowsOf, wholeOf } from "@tintype/codecs/raster";
import { formats, type OutputFormat, type TaskOptions } from "@tintype/contract";
import type { Sharp } from "sharp";
import { softAlphaLosses } from "../formats/alpha-losses.ts";
import type { Source } from "../formats/open-source.ts";
import { checkSides, chosenFormat } from "../formats/output-format.ts";
import { factsOf } from "../formats/source.ts";
import { decodePicture } from "../raster/decoded-picture.ts";
import type { StepContext } from "../resample/steps.ts";
import { openInput } from "./open-input.ts";
import type { Operation } from "./operation.ts";
import { resizeAnimation } from "./resize/animation.ts";
import { type Canvas, canvasIn, colourUnder } from "./resize/canvas.ts";
import { checkResult } from "./resize/check-result.ts";
import { findSubject } from "./resize/find-subject.ts";
import {
  type Geometry,
  type ResizeDrawingOptions,
  resizeDrawing,
  resizeGeometry,
  wasKeptSmall,
} from "./resize/geometry.ts";
import { drawOnCanvas, resizeStill } from "./resize/still.ts";
import { writeResult } from "./write-result.ts";

/** Shares of the total time for a photograph: decoding, resampling, and encoding, which takes most. */
const progressOf = { decoded: 0.15, resampled: 0.3 };

/** A resized PNG with a palette gets one again if it looks like the result: stored as RGB it would grow severalfold. */
const indexedQuality = 95;

/** Another size in pixels; animations stay animated, and SVGs are rendered at the new size. */
export const resize: Operation = async (task, { signal, progress }) => {
  const options = task.options as TaskOptions<"resize">; // parsed by the contract
  const { limits, outputPath } = task;
  const source = await openInput(task);
  const { canvas, gravity } = options;
  const geometry = await geometryOf(source, options);
  const { width, height } = geometry.placed ?? geometry;
  const written = chosenFormat(source, options);
  if (options.target_format !== undefined) checkSides(options.target_format, geometry);
  const isAnimated = source.isAnimated && formats[written.format].holds.animation;
  const frames = isAnimated ? source.pages : 1;
  const { format, note } = checkResult({ ...geometry, frames, format: written.format, limits });
  const temporaryPaths = { source: `${outputPath}.source.tif`, result: `${outputPath}.result.tif` };
  const share = progressOf.resampled - progressOf.decoded;
  const context = {
    signal,
    progress: (fraction: number) => progress({ fraction: progressOf.decoded + share * fraction }),
  };
  try {
    const { image, decoded, timing, notes } =
      source.format === "svg"
        ? await drawResized(source, {
            ...{ geometry, canvas, method: options.method, gravity, limits, format, context },
            temporaryPath: temporaryPaths.result,
          })
        : await (isAnimated ? resizeAnimation : resizeStill)(source, {
            ...{ geometry, canvas, format, temporaryPaths, context },
          });
    signal.throwIfAborted();
    progress({ fraction: progressOf.resampled });
    const { quality = source.isIndexed && format === "png" && !isAnimated ? indexedQuality : undefined } = options;
    const { notes: lost, ...result } = await writeResult(image, task, {
      ...{ format, quality, isAnimated, signal, decoded, timing },
    });
    return {
      kind: "done",
      source: factsOf(source),
      ...result,
      notes: [
        ...source.notes,
        ...[written.note, note].filter((one) => one !== undefined),
        ...(wasKeptSmall(source, options) ? [{ code: "not-enlarged", width, height } as const] : []),
        ...notes,
        ...lost,
      ],
    };
  } finally {
    await Promise.all(Object.values(temporaryPaths).map((path) => rm(path, { force: true })));
  }
};

/** @throws broken-image, or cannot-process if the padding leaves no room */
export async function geometryOf(source: Source, options: TaskOptions<"resize">): Promise<Geometry> {
  const { gravity, width, height } = options;
  // An SVG is cropped where it is drawn.
  const isFound = gravity === "smart" && width !== undefined && height !== undefined && source.format !== "svg";
  return resizeGeometry(source, options, isFound ? await findSubject(source, { width, height }) : undefined);
}

type DrawResizedOptions = ResizeDrawingOptions & {
  canvas: Canvas | undefined;
  format: OutputFormat;
  temporaryPath: string;
  context: StepContext;
};

async function drawResized(
  source: Source,
  { format, canvas: wanted, temporaryPath, context, ...drawing }: DrawResizedOptions,
) {
  const { geometry } = drawing;
  const { placed } = geometry;
  const drawn = resizeDrawing(source, drawing);
  const losses = (image: Sharp) => softAlphaLosses(image, format);
  if (!placed || wanted === undefined)
    return { image: drawn, decoded: undefined, timing: undefined, notes: await losses(drawn) };
  const canvas = canvasIn(wanted, format);
  const background = colourUnder(canvas);
  const decoded = await decodePicture(background === undefined ? drawn : drawn.flatten({ background }));
  const result = await drawOnCanvas(
    { image: decoded.open(), rows: rowsOf(decoded), depth: 8 },
    { geometry: { ...geometry, window: wholeOf(decoded) }, placed, canvas, temporaryPath, context },
  );
  const notes = wanted === canvas ? await losses(decoded.open()) : [{ code: "transparency-lost", format } as const];
  return { image: result.open(), decoded: result.decoded, timing: undefined, notes };
}
