import type { BillingCycle } from "./plan.ts";

export const subscriptionStatuses = ["active", "cancellation_scheduled", "past_due"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** When a new plan starts: at once, or at the end of the current period. */
export const changeModes = ["at_renewal", "now"] as const;
export type ChangeMode = (typeof changeModes)[number];

export const transactionStatuses = ["captured", "failed", "refunded"] as const;

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
