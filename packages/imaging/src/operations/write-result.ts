import type { OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { EncodeOptions } from "../formats/encoder.ts";
import { codingFor, encodePicture, writeStandIn, writeWhole } from "../formats/write-picture.ts";
import type { Outcome } from "../task.ts";
import type { OpenedTask } from "./operation.ts";

type WriteResultOptions = Pick<EncodeOptions, "isAnimated" | "decoded" | "timing"> & {
  format: OutputFormat;
  /** As the caller asked for it. */
  quality?: number | undefined;
  signal: AbortSignal;
};

/** The parts of an outcome that follow from the written file. */
export type WrittenResult = Pick<Extract<Outcome, { kind: "done" }>, "result" | "isStandIn" | "notes">;

/** Writes the result of a task; if another step follows, losslessly as a stand-in. */
export async function writeResult(
  image: Sharp,
  task: OpenedTask,
  { format, quality, isAnimated = false, signal, decoded, timing }: WriteResultOptions,
): Promise<WrittenResult> {
  const to = { format, path: task.outputPath, isAnimated, signal };
  if (task.isIntermediate) {
    const { notes, ...result } = await writeStandIn(image, { ...to, timing, isUrgent: task.isUrgent });
    return { result, isStandIn: true, notes };
  }
  const coding = { ...codingFor(quality), isAnimated, signal, decoded, timing };
  const { bytes, width, height, notes } = await encodePicture(image, { format, ...coding });
  await writeWhole(task.outputPath, bytes);
  return { result: { format, width, height, sizeBytes: bytes.length }, notes };
}
