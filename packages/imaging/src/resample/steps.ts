import { setImmediate as nextTurn } from "node:timers/promises";

/** Long work that yields its completed share, 0..1, every few milliseconds, and returns its result. */
export type Steps<Result> = Generator<number, Result>;
export type StepContext = { signal?: AbortSignal | undefined; progress?: (fraction: number) => void };

/** Runs the work to its end. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Runs the work, yielding to the event loop between its steps, so that a message can cancel it.
 * @throws the signal's reason once it is aborted
 */
export async function finishInSteps<Result>(steps: Steps<Result>, { signal, progress }: StepContext): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done) return step.value;
    progress?.(step.value);
    await nextTurn();
  }
}

/** The same work as a part of a larger one: its progress runs from `from` to `to`. */
export function* partOf<Result>(steps: Steps<Result>, { from, to }: { from: number; to: number }): Steps<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield from + (to - from) * step.value;
  }
}
