import { rm } from "node:fs/promises";
import type { TaskOptions } from "@tintype/contract";
import type { Outcome, RunContext, Task } from "../../task.ts";
import { crop } from "../crop.ts";
import { standInOf } from "../steps.ts";
import { turn } from "../turn.ts";

/** A step that may precede a previewed operation, with its parsed options. */
export type FrameStep =
  | { operation: "turn"; options: TaskOptions<"turn"> }
  | { operation: "crop"; options: TaskOptions<"crop"> };

const operations = { turn, crop } as const;

/** Runs the task on the output of the steps: the same operations as in a recipe, with uncompressed intermediate files. */
export async function withFrame(
  task: Task,
  context: RunContext,
  { frame, run }: { frame: readonly FrameStep[]; run(framed: Task): Promise<Outcome> },
): Promise<Outcome> {
  const paths: string[] = [];
  let framed = task;
  try {
    for (const [index, { operation, options }] of frame.entries()) {
      const outputPath = `${task.outputPath}.frame-${index}`;
      paths.push(outputPath);
      const step = { ...framed, name: operation, options, outputPath, isIntermediate: true, isUrgent: true };
      const outcome = await operations[operation](step, { ...context, progress: () => {} });
      const standsFor = standInOf(outcome);
      // The files are uncompressed: delete each once it is read, so that at most one exists.
      if (framed !== task) await rm(framed.inputPath, { force: true });
      framed = { ...task, page: 1, inputPath: outputPath, ...(standsFor === undefined ? {} : { standsFor }) };
    }
    return await run(framed);
  } finally {
    for (const path of paths) await rm(path, { force: true });
  }
}
