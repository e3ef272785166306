import { exitCodes } from "./exit-codes.ts";

export type Interruption = { signal: AbortSignal; leave(): void };

/**
 * Ctrl-C, or a kill, as a signal: the run ends cleanly. At the second one the process ends at once. Without `isHeard` the
 * system's own way stays: it ends also a process whose thread is busy with its only picture.
 */
export function hearInterruption({ isHeard }: { isHeard: boolean }): Interruption {
  const abort = new AbortController();
  const stop = () => {
    if (abort.signal.aborted) process.exit(exitCodes.interrupted);
    abort.abort(new Error("The run was stopped."));
  };
  if (isHeard) {
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
