import type { TaskName } from "@tintype/contract";
import type { TileThreads } from "../cutout/tile-threads.ts";
import type { Models } from "../model/session.ts";
import type { Outcome, RunContext, Task } from "../task.ts";

/**
 * One operation on one picture.
 * @throws DomainError when the picture cannot be processed; any other error is a fault of the engine
 */
export type Operation = (task: Task, context: RunContext) => Promise<Outcome>;

/** The engine keeps `models` and `threads` from picture to picture. */
export type EngineContext = RunContext & { models: Models; threads?: TileThreads };
/** An operation that runs models. Every `Operation` is assignable to it. */
export type NeuralOperation = (task: Task, context: EngineContext) => Promise<Outcome>;

/** The message with which an operation refuses an animation. */
export const stillOnly = {
  upscale: "Animated images cannot be upscaled. Send a single frame.",
  "remove-background": "The background of animated images cannot be removed. Send a still image.",
  "web-set": "Animated images cannot become a web set. Send a still image.",
  crop: "Animated images cannot be cropped. Send a still image.",
  turn: "Animated images cannot be turned. Send a still image.",
} as const satisfies Partial<Record<TaskName, string>> as Partial<Record<TaskName, string>>;
