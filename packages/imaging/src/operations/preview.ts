import type { TaskOptions } from "@tintype/contract";
import { openSource } from "../formats/open-source.ts";
import { writePicture } from "../formats/write-picture.ts";
import type { Operation } from "./operation.ts";

/** A small WebP, in sRGB, of any accepted picture or of its first frame, for browsers that cannot draw the file itself. */
export const preview: Operation = async (task) => {
  const { side } = task.options as TaskOptions<"preview">; // parsed by the contract
  const source = await openSource(task.inputPath, task.limits);
  // Resized by libvips while it decodes: a JPEG is read at an eighth where that is enough, which no later step can match.
  const image = source
    .read({ colour: "srgb" })
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
  const { notes: _, ...result } = await writePicture(image, { format: "webp", path: task.outputPath, quality: 75 });
  const { format, width, height, sizeBytes } = source;
  return { kind: "done", source: { format, width, height, sizeBytes }, result, notes: [] };
};
