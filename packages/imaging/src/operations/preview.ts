import { DomainError, mostPreviewedMegapixels, type TaskOptions } from "@tintype/contract";
import { openSource } from "../formats/open-source.ts";
import { writePicture } from "../formats/write-picture.ts";
import type { PictureLimits } from "../task.ts";
import type { Operation } from "./operation.ts";
import { type FrameStep, withFrame } from "./preview/frame.ts";
import { type PreviewedWish, previewPart } from "./preview/preview-part.ts";

/** As the server passes them: the wish, and the steps before it, are parsed with the options of their operations. */
type Options = Omit<TaskOptions<"preview">, "steps"> & { wish?: PreviewedWish; frame?: readonly FrameStep[] };

/**
 * A small sRGB WebP of any accepted picture, or of its first frame, for browsers that cannot display the file itself.
 * With a wish: a region of an operation's result, or all of it, reduced, of the picture as the frame leaves it.
 */
export const preview: Operation = async (task, context) => {
  const { side, wish, frame = [], ...shown } = task.options as Options; // parsed by the contract
  if (wish)
    return withFrame({ ...task, limits: boundedLimits(task.limits) }, context, {
      frame,
      run: (framed) => previewPart(framed, context, { wish, shown: { ...shown, side } }),
    });
  const source = await openSource(task.inputPath, task.limits);
  // Resized by libvips while decoding: a JPEG can be read at an eighth of its size, which no later step can match.
  const image = source
    .read({ colour: "srgb" })
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
  const { notes: _, ...result } = await writePicture(image, { format: "webp", path: task.outputPath, quality: 75 });
  const { format, width, height, sizeBytes } = source;
  return { kind: "done", source: { format, width, height, sizeBytes }, result, notes: [] };
};

/** Refuses a picture by its header, before a step works on it: its frame is free too. */
const boundedLimits = (limits: PictureLimits): PictureLimits => ({
  ...limits,
  reportMegapixels(megapixels) {
    limits.reportMegapixels?.(megapixels);
    if (megapixels > mostPreviewedMegapixels)
      throw new DomainError("too-many-pixels", {
        detail: `A preview takes pictures of up to ${mostPreviewedMegapixels} megapixels.`,
      });
  },
});
