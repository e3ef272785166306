import { readFileSync } from "node:fs";

const pageBytes = 4096;

/** Running processes started by a process's main thread; none without /proc. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** The process and all of its descendants, itself first. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** Total resident memory, MB (millions of bytes); undefined without /proc. */
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

/** Total CPU time used, ms; undefined without /proc. */
export function processorMs(pids: readonly number[]): number | undefined {
  const times = pids.map(processorTicks).filter((ticks) => ticks !== undefined);
  return times.length === 0 ? undefined : times.reduce((sum, ticks) => sum + ticks, 0) * tickMs;
}

/** USER_HZ: Linux reports CPU times in hundredths of a second. */
const tickMs = 10;

function processorTicks(pid: number): number | undefined {
  try {
    // The second field is the program's name, which may contain spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(")").at(-1)?.trim().split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]); // utime and stime, fields 14 and 15 of the line
  } catch {
    return undefined;
  }
}
