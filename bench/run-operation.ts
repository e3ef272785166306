import type { Imaging } from "../packages/imaging/src/imaging.ts";
import type { Outcome, RunContext, Task } from "../packages/imaging/src/task.ts";

/** Of the largest plan. */
export const limits = { megapixelsIn: 200, megapixelsOut: 200 };

/** Runs an operation within the limits of the largest plan, to its end. */
export const runOperation = (
  imaging: Imaging,
  task: Omit<Task, "limits">,
  progress: RunContext["progress"] = () => {},
): Promise<Outcome> => imaging.run({ ...task, limits }, { signal: new AbortController().signal, progress });
