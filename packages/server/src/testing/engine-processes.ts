import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { treeOf } from "../platform/process-tree.ts";

/** Signals every descendant process that runs an engine, including those inside a sandbox. */
function signalEngines(signal: NodeJS.Signals): void {
  for (const pid of treeOf(process.pid)) {
    if (pid === process.pid) continue;
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("imaging/src/process.ts")) process.kill(pid, signal);
    } catch (problem) {
      // Killing one process may end its descendants too.
      if (!["ENOENT", "ESRCH"].includes((problem as NodeJS.ErrnoException).code ?? "")) throw problem;
    }
  }
}

export const killEngines = () => signalEngines("SIGKILL");

const sliceMs = 50;

/**
 * Stops the engines, including those that start meanwhile, so that files in work stay in work. `until` lets them work in short slices until
 * a condition holds: what takes longer than a slice has not ended then, however busy the machine is.
 */
export async function whileEnginesAreStopped<Result>(
  work: (until: (condition: () => Promise<boolean>) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let isSlice = false;
  const stop = () => {
    if (!isSlice) signalEngines("SIGSTOP");
  };
  stop();
  const timer = setInterval(stop, 100);
  try {
    return await work(async (condition) => {
      while (!(await condition())) {
        isSlice = true;
        signalEngines("SIGCONT");
        await wait(sliceMs);
        isSlice = false;
        stop();
      }
    });
  } finally {
    clearInterval(timer);
    signalEngines("SIGCONT");
  }
}
