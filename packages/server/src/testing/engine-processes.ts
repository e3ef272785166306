import { readFileSync } from "node:fs";
import { treeOf } from "../platform/process-tree.ts";

/** Ends every process below this one that runs an engine, also where a sandbox stands between. */
export function killEngines(): void {
  for (const pid of treeOf(process.pid)) {
    if (pid === process.pid) continue;
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("imaging/src/process.ts")) process.kill(pid, "SIGKILL");
    } catch (problem) {
      // The end of one process takes those below it along.
      if (!["ENOENT", "ESRCH"].includes((problem as NodeJS.ErrnoException).code ?? "")) throw problem;
    }
  }
}
