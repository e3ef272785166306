import { readFileSync } from "node:fs";

/** The time, as an argument: tests hold it still, and the payment sandbox moves it forward. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/**
 * The system's time plus the milliseconds that stand in a file, read again each second of real time. For trying out
 * renewals and the ends of periods; a production server never uses it.
 */
export function fileClock(path: string): Clock {
  let offsetMs = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = () => {
    if (performance.now() - readAt < 1000) return;
    readAt = performance.now();
    try {
      const said = Number(readFileSync(path, "utf8"));
      // Time never runs backwards: the ledger's days would be counted twice.
      if (Number.isFinite(said) && said > offsetMs) offsetMs = said;
    } catch {
      // No file, no shift.
    }
  };
  return {
    now() {
      refresh();
      return new Date(Date.now() + offsetMs);
    },
  };
}

/** UTC calendar day, `2026-11-21`, and month, `2026-11`. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);
export const utcMonth = (at: Date): string => at.toISOString().slice(0, 7);
