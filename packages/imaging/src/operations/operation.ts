import type { TileThreads } from "../cutout/tile-threads.ts";
import { type InputFile, openInputFile } from "../formats/input-file.ts";
import type { Models } from "../model/session.ts";
import type { Outcome, RunContext, Task } from "../task.ts";

/** A task whose picture has been opened. */
export type OpenedTask = Omit<Task, "inputPath"> & { input: InputFile };

export async function openTask({ inputPath, ...task }: Task): Promise<OpenedTask> {
  return { ...task, input: await openInputFile(inputPath) };
}

/**
 * One operation on one picture.
 * @throws DomainError when the picture cannot be processed; any other error is a fault of the engine
 */
export type Operation = (task: OpenedTask, context: RunContext) => Promise<Outcome>;

/** The engine keeps `models` and `threads` from picture to picture. */
export type EngineContext = RunContext & { models: Models; threads?: TileThreads };
/** An operation that runs models. Every `Operation` is assignable to it. */
export type NeuralOperation = (task: OpenedTask, context: EngineContext) => Promise<Outcome>;
