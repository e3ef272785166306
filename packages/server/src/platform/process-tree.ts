import { readFileSync } from "node:fs";

const pageBytes = 4096;

/** Processes that a process's first thread started and that still run; none where there is no /proc. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** The process and all below it, the process itself first. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** Resident memory of all of them, MB (millions of bytes); undefined where there is no /proc. */
export function residentMb(pids: readonly number[]): number | undefined {
  const sizes = pids.map(residentPages).filter((pages) => pages !== undefined);
  return sizes.length === 0 ? undefined : (sizes.reduce((sum, pages) => sum + pages, 0) * pageBytes) / 1e6;
}

function residentPages(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  } catch {
    return undefined;
  }
}
