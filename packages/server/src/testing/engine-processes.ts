import { readFileSync } from "node:fs";
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

/** Stops the engines, including those that start meanwhile, so that files in work stay in work. */
export async function whileEnginesAreStopped<Result>(work: () => Promise<Result>): Promise<Result> {
  signalEngines("SIGSTOP");
  const timer = setInterval(() => signalEngines("SIGSTOP"), 100);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    signalEngines("SIGCONT");
  }
}
