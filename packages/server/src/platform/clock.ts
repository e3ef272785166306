import { readFileSync } from "node:fs";

/** The time as a dependency: tests freeze it, and the payment sandbox moves it forward. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** How often the database's clock is read. */
const readIntervalMs = 60_000;

/**
 * The database's clock, which all processes share: credits are counted by its days. Between two readings it advances with
 * this process's monotonic clock, which changes of the system's time do not affect.
 */
export async function openDatabaseClock(
  readTime: () => Promise<Date>,
  { onProblem }: { onProblem(problem: unknown): void },
): Promise<Clock & { close(): void }> {
  let origin = 0;
  const readClock = async () => {
    const startedAt = performance.now();
    const databaseMs = (await readTime()).getTime();
    // The database read its clock between the two.
    origin = databaseMs - (startedAt + performance.now()) / 2;
  };
  await readClock();
  const timer = setInterval(() => void readClock().catch(onProblem), readIntervalMs);
  timer.unref();
  return { now: () => new Date(origin + performance.now()), close: () => clearInterval(timer) };
}

const maxSkewMs = 2_000;

/** What an operator should do about this machine's clock, `skewMs` ahead of the database's; undefined if nothing. */
export function skewProblem(skewMs: number): string | undefined {
  if (Math.abs(skewMs) <= maxSkewMs) return undefined;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return `This machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the database's: synchronize both (chrony, ntpd).`;
}

/**
 * The system's time plus the milliseconds in a file, which is read again each second of real time. For trying out renewals
 * and period ends; never for production.
 */
export function fileClock(path: string): Clock {
  let offsetMs = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = () => {
    if (performance.now() - readAt < 1000) return;
    readAt = performance.now();
    try {
      const written = Number(readFileSync(path, "utf8"));
      // Time must never run backwards, or the ledger's days would be counted twice.
      if (Number.isFinite(written) && written > offsetMs) offsetMs = written;
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

export const dayMs = 86_400_000;

/** UTC calendar day, `2026-11-21`, and month, `2026-11`. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);
export const utcMonth = (at: Date): string => at.toISOString().slice(0, 7);
/** The month before `2026-01`: `2025-12`. */
export const monthBefore = (month: string): string => utcMonth(new Date(Date.parse(`${month}-01`) - dayMs));
/** The day after, UTC. */
export const dayAfter = (day: string): string => utcDay(new Date(Date.parse(day) + dayMs));
