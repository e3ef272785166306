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

/** CPU time that all of them have used, ms; undefined where there is no /proc. */
export function processorMs(pids: readonly number[]): number | undefined {
  const times = pids.map(processorTicks).filter((ticks) => ticks !== undefined);
  return times.length === 0 ? undefined : times.reduce((sum, ticks) => sum + ticks, 0) * tickMs;
}

/** USER_HZ: Linux reports CPU times in hundredths of a second. */
const tickMs = 10;

function processorTicks(pid: number): number | undefined {
  try {
    // The second field is the program's name, which may hold spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(")").at(-1)?.trim().split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]); // utime and stime, fields 14 and 15 of the line
  } catch {
    return undefined;
  }
}
