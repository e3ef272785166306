import type { BillingCycle } from "./plan.ts";

/** Adds months or years in UTC and keeps the time of day. In a shorter month the 31st becomes the last day. */
export function addCycles(start: Date, { cycle, count = 1 }: { cycle: BillingCycle; count?: number }): Date {
  const months = cycle === "monthly" ? count : 12 * count;
  const moved = new Date(start);
  moved.setUTCDate(1);
  moved.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return moved;
}
