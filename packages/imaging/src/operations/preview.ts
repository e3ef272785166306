import { rm } from "node:fs/promises";
import { DomainError, maxPreviewMegapixels, type TaskOptions, wholePreviewPx } from "@tintype/contract";
import { openInputFile } from "../formats/input-file.ts";
import { refusePixels } from "../formats/limits.ts";
import { factsOf } from "../formats/source.ts";
import { writePicture } from "../formats/write-picture.ts";
import type { Outcome, PictureLimits, RunContext } from "../task.ts";
import { crop } from "./crop.ts";
import { openInput } from "./open-input.ts";
import type { OpenedTask, Operation } from "./operation.ts";
import { pageForStep } from "./page-of.ts";
import { type PreviewRequest, previewPart } from "./preview/preview-part.ts";
import type { PlacedStep } from "./preview/source-region.ts";
import { standInOf } from "./steps.ts";
import { turn } from "./turn.ts";

/** As the server passes them: the options of the request and of the steps before it are already parsed. */
type Options = Omit<TaskOptions<"preview">, "steps"> & { request?: PreviewRequest; frame?: readonly FrameStep[] };

/**
 * A small sRGB WebP of any accepted picture, or of its first frame, for browsers that cannot display the file itself.
 * With a request: a region of an operation's result, or all of it, reduced; the operation is applied after the steps of
 * `frame`. None has more than about half of the pixels of what it shows.
 */
export const preview: Operation = async (task, context) => {
  const { side, request, frame = [], ...view } = task.options as Options; // parsed by the contract
  if (request) {
    const page = pageForStep([task, ...frame, request], 0);
    const bounded = { ...task, ...(page === undefined ? {} : { page }), limits: boundedLimits(task.limits) };
    return withFrame(bounded, context, {
      frame,
      run: (framed, steps) =>
        previewPart(framed, context, {
          request,
          view: { ...view, side },
          before: { steps, ...(page === undefined ? {} : { page }) },
        }),
    });
  }
  const source = await openInput(task);
  // Resized by libvips while decoding: a JPEG can be decoded at an eighth of its size, which no later step can match.
  const image = source
    .read({ colour: "srgb" })
    .resize({ ...boxOf(wholePreviewPx(source, side)), fit: "inside", withoutEnlargement: true });
  const { notes: _, ...result } = await writePicture(image, { format: "webp", path: task.outputPath, quality: 75 });
  return { kind: "done", source: factsOf(source), result, notes: [] };
};

const boxOf = (side: number) => ({ width: side, height: side });

/** Refuses a picture by its header, before a step processes it: those steps are free too. */
const boundedLimits = (limits: PictureLimits): PictureLimits => ({
  ...limits,
  reportMegapixels(megapixels) {
    limits.reportMegapixels?.(megapixels);
    if (megapixels > maxPreviewMegapixels) refusePixels({ code: "preview-too-large", limit: maxPreviewMegapixels });
  },
});

/** A step that may precede a previewed operation, with its parsed options. */
type FrameStep =
  | { operation: "turn"; options: TaskOptions<"turn"> }
  | { operation: "crop"; options: TaskOptions<"crop"> };

const frameOperations = { turn, crop } as const;

/** Runs the task on the output of the steps: the same operations as in a recipe, with uncompressed intermediate files. */
async function withFrame(
  task: OpenedTask,
  context: RunContext,
  {
    frame,
    run,
  }: { frame: readonly FrameStep[]; run(framed: OpenedTask, steps: readonly PlacedStep[]): Promise<Outcome> },
): Promise<Outcome> {
  const paths: string[] = [];
  const placed: PlacedStep[] = [];
  let framed = task;
  try {
    for (const [index, frameStep] of frame.entries()) {
      const { operation, options } = frameStep;
      if (operation === "crop" && options.gravity === "smart")
        throw new DomainError("cannot-process", { reason: { code: "preview-of-smart-crop" } });
      const outputPath = `${task.outputPath}.frame-${index}`;
      paths.push(outputPath);
      const step = { ...framed, name: operation, options, outputPath, isIntermediate: true, isUrgent: true };
      const outcome = await frameOperations[operation](step, { ...context, progress: () => {} });
      placed.push({ ...frameStep, before: outcome.source });
      const standsFor = standInOf(outcome);
      // The files are uncompressed: delete each once it is read, so that at most one exists.
      if (framed !== task) await rm(framed.input.path, { force: true });
      framed = {
        ...task,
        page: 1,
        input: await openInputFile(outputPath),
        ...(standsFor === undefined ? {} : { standsFor }),
      };
    }
    return await run(framed, placed);
  } finally {
    for (const path of paths) await rm(path, { force: true });
  }
}
