import { keptHours } from "./kept-limits.ts";

/** When the oldest kept result was kept. A browser that keeps nothing has no such entry, and loads nothing for it. */
const hintKey = "tintype.kept";

export function noteKept(keptAtMs: readonly number[]): void {
  try {
    if (keptAtMs.length === 0) localStorage.removeItem(hintKey);
    else localStorage.setItem(hintKey, String(Math.min(...keptAtMs)));
  } catch {
    // Denied: then the list is not shown at the next visit, and the results go with the next sweep.
  }
}

/** Whether this browser keeps results; `isOverdue` where some of them have had their time. */
export function readKeptHint(nowMs: number): { isOverdue: boolean } | undefined {
  try {
    const oldestMs = Number(localStorage.getItem(hintKey) ?? Number.NaN);
    return Number.isFinite(oldestMs) ? { isOverdue: nowMs - oldestMs >= keptHours * 3600_000 } : undefined;
  } catch {
    return undefined;
  }
}
