import sharp, { type Sharp } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import { fitToFormat } from "../formats/fit-to-format.ts";
import type { Source } from "../formats/open-source.ts";
import { formatForSize, outputFormat } from "../formats/output-format.ts";
import { factsOf } from "../formats/source.ts";
import { createPictureFile, decodeToFile, type PictureFile } from "../raster/picture-file.ts";
import { finishInSteps } from "../resample/steps.ts";
import { type StraightenOptions, straightenSteps } from "../resample/straighten.ts";
import type { Outcome, RunContext } from "../task.ts";
import { openStill } from "./open-input.ts";
import type { OpenedTask } from "./operation.ts";
import { writeResult } from "./write-result.ts";

type Plan = {
  /** The result's, px. */
  size: { width: number; height: number };
  /** Rearranges the pixels without changing their values. */
  draw(image: Sharp): Sharp;
  /** Applied before `draw`. */
  straightening?: StraightenOptions;
};
type RedrawOptions = { operation: "crop" | "turn"; plan(source: Source): Plan | Promise<Plan> };

/** Share of the total time; the rest is for encoding. */
const straightenedShare = 0.6;

/** Rearranges a still picture: decoded once, upright, and written in its own format. */
export async function redraw(
  task: OpenedTask,
  { signal, progress }: RunContext,
  { operation, plan }: RedrawOptions,
): Promise<Outcome> {
  const source = await openStill(task, operation);
  const written = outputFormat(source, "resize");
  const { size, draw, straightening } = await plan(source);
  const target = formatForSize(written.format, size);
  const { image, notes } = await fitToFormat(source, target.format);
  const decoded = await decodeToFile(image, `${task.outputPath}.work`);
  const open: PictureFile[] = [decoded];
  try {
    signal.throwIfAborted();
    const { channels, depth } = decoded;
    const { icc: profile } = await sharp(decoded.path, { limitInputPixels: false }).metadata();
    const seen = { isGrey: channels < 3, hasProfile: profile !== undefined, depth };
    if (straightening) {
      const { width, height } = straightening.region;
      const to = createPictureFile(`${task.outputPath}.straight`, { width, height, channels, depth, profile });
      open.unshift(to);
      const steps = straightenSteps(decoded, straightening, (samples, part) => {
        const length = part.width * channels;
        to.writePart(samples, { ...part, from: 0, length, stride: length });
      });
      await finishInSteps(steps, { signal, progress: (share) => progress({ fraction: share * straightenedShare }) });
    }
    const [{ path } = decoded] = open;
    const drawn = inColour(draw(sharp(path, { limitInputPixels: false })), seen);
    const { notes: lost, ...result } = await writeResult(drawn, task, { format: target.format, signal });
    const formatNotes = [written.note, target.note].filter((note) => note !== undefined);
    return {
      kind: "done",
      source: factsOf(source),
      ...result,
      notes: [...source.notes, ...formatNotes, ...notes, ...lost],
    };
  } finally {
    for (const file of open) file.remove();
  }
}
