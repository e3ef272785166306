import { rm } from "node:fs/promises";
import { formats, type OutputFormat, type TaskOptions } from "@tintype/contract";
import { softAlphaLosses } from "../formats/alpha-losses.ts";
import type { Source } from "../formats/open-source.ts";
import { checkSides, chosenFormat } from "../formats/output-format.ts";
import { factsOf } from "../formats/source.ts";
import { openInput } from "./open-input.ts";
import type { Operation } from "./operation.ts";
import { resizeAnimation } from "./resize/animation.ts";
import { checkResult } from "./resize/check-result.ts";
import { type ResizeDrawingOptions, resizeDrawing, resizeGeometry, wasKeptSmall } from "./resize/geometry.ts";
import { resizeStill } from "./resize/still.ts";
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
  const geometry = resizeGeometry(source, options);
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
        ? await drawResized(source, { geometry, method: options.method, limits, format })
        : await (isAnimated ? resizeAnimation : resizeStill)(source, { geometry, format, temporaryPaths, context });
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
        ...(wasKeptSmall(source, options)
          ? [{ code: "not-enlarged", width: geometry.width, height: geometry.height } as const]
          : []),
        ...notes,
        ...lost,
      ],
    };
  } finally {
    await Promise.all(Object.values(temporaryPaths).map((path) => rm(path, { force: true })));
  }
};

async function drawResized(source: Source, { format, ...drawing }: ResizeDrawingOptions & { format: OutputFormat }) {
  const image = resizeDrawing(source, drawing);
  return { image, decoded: undefined, timing: undefined, notes: await softAlphaLosses(image, format) };
}
