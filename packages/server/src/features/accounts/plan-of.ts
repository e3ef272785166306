import { type PaidPlanName, type PlanName, rankOf } from "@tintype/contract";
import type { accounts } from "./tables.ts";

/** An unpaid plan, until a given time. */
export type GrantedPlan = { plan: PaidPlanName; until: Date };

type Plans = Pick<typeof accounts.$inferSelect, "paidPlan" | "grantedPlan" | "grantedUntil">;

/** The plan that an operator granted, while it lasts, even if the paid plan is better. */
export function grantOf({ grantedPlan, grantedUntil }: Omit<Plans, "paidPlan">, now: Date): GrantedPlan | undefined {
  return grantedPlan && grantedUntil && grantedUntil > now ? { plan: grantedPlan, until: grantedUntil } : undefined;
}

/**
 * An account's effective plan at a given time, which decides its credits and limits: the paid plan, or a better granted
 * one. Every caller's tier is decided here on lookup, so a granted plan starts and ends on time without a sweep.
 * `grantedUntil` is the granted plan's end; null if the plan is not a granted one.
 */
export function planOf(account: Plans, now: Date): { plan: PlanName; grantedUntil: Date | null } {
  const granted = grantOf(account, now);
  return granted && rankOf(granted.plan) > rankOf(account.paidPlan)
    ? { plan: granted.plan, grantedUntil: granted.until }
    : { plan: account.paidPlan, grantedUntil: null };
}
