import { exitCodes } from "./exit-codes.ts";

export type Interruption = { signal: AbortSignal; leave(): void };

/**
 * Ctrl-C or SIGTERM as an AbortSignal, so that the run ends cleanly. A second signal exits at once. Without
 * `isHandled` the default action stays: it also ends a process whose thread is busy with its only picture.
 */
export function onInterruption({ isHandled }: { isHandled: boolean }): Interruption {
  const abort = new AbortController();
  const stop = () => {
    if (abort.signal.aborted) process.exit(exitCodes.interrupted);
    abort.abort(new Error("The run was stopped."));
  };
  if (isHandled) {
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  }
  return {
    signal: abort.signal,
    leave() {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
