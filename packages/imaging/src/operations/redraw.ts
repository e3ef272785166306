import { DomainError } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import { fitToFormat } from "../formats/fit-to-format.ts";
import { openSource, type Source } from "../formats/open-source.ts";
import { formatForSize, outputFormat } from "../formats/output-format.ts";
import { defaultQuality, writePicture, writeStandIn } from "../formats/write-picture.ts";
import { decodeToFile } from "../raster/picture-file.ts";
import type { Outcome, RunContext, Task } from "../task.ts";
import { stillOnly } from "./operation.ts";

type Redrawing = {
  operation: "crop" | "turn";
  sizeOf(source: Source): { width: number; height: number };
  /** The pixels elsewhere, none of them changed. */
  draw(image: Sharp, source: Source): Sharp;
};

/** A still picture with its own pixels in another arrangement: decoded once, upright, and written in its own format. */
export async function redraw(
  task: Task,
  { signal }: RunContext,
  { operation, sizeOf, draw }: Redrawing,
): Promise<Outcome> {
  const source = await openSource(task.inputPath, task.limits, task.standsFor);
  if (source.isAnimated) throw new DomainError("cannot-process", { detail: stillOnly[operation] });
  const written = outputFormat(source, "resize");
  const target = formatForSize(written.format, sizeOf(source));
  const { image, notes } = fitToFormat(source, target.format);
  const decoded = await decodeToFile(image, `${task.outputPath}.work`);
  try {
    signal.throwIfAborted();
    const { channels, depth } = decoded;
    const { icc } = await sharp(decoded.path).metadata();
    const seen = { isGrey: channels < 3, hasProfile: icc !== undefined, depth };
    const drawn = inColour(draw(sharp(decoded.path, { limitInputPixels: false }), source), seen);
    const to = { format: target.format, path: task.outputPath, signal };
    const isStandIn = task.isIntermediate === true;
    const { notes: lost, ...result } = isStandIn
      ? await writeStandIn(drawn, { ...to, isMoving: false })
      : await writePicture(drawn, { ...to, quality: defaultQuality });
    const { format, width, height, sizeBytes } = source;
    const formatNotes = [written.note, target.note].filter((note) => note !== undefined);
    return {
      kind: "done",
      source: { format, width, height, sizeBytes },
      result,
      ...(isStandIn ? { isStandIn } : {}),
      notes: [...source.notes, ...formatNotes, ...notes, ...lost],
    };
  } finally {
    decoded.remove();
  }
}
