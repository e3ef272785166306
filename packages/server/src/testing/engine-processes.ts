import { readFileSync } from "node:fs";
import { treeOf } from "../platform/process-tree.ts";

/** Kills every descendant process that runs an engine, including those inside a sandbox. */
export function killEngines(): void {
  for (const pid of treeOf(process.pid)) {
    if (pid === process.pid) continue;
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("imaging/src/process.ts")) process.kill(pid, "SIGKILL");
    } catch (problem) {
      // Killing one process may end its descendants too.
      if (!["ENOENT", "ESRCH"].includes((problem as NodeJS.ErrnoException).code ?? "")) throw problem;
    }
  }
}
