import { type PaidPlanName, type PlanName, rankOf } from "@tintype/contract";
import type { accounts } from "./tables.ts";

/** A plan without a payment, until a moment. */
export type GrantedPlan = { plan: PaidPlanName; until: Date };

type Plans = Pick<typeof accounts.$inferSelect, "paidPlan" | "grantedPlan" | "grantedUntil">;

/** The plan that an operator granted, while it lasts; also where what is paid for is better. */
export function grantOf({ grantedPlan, grantedUntil }: Omit<Plans, "paidPlan">, now: Date): GrantedPlan | undefined {
  return grantedPlan && grantedUntil && grantedUntil > now ? { plan: grantedPlan, until: grantedUntil } : undefined;
}

/**
 * The plan that an account has at a moment, and with it its credits and limits: what is paid for, or what was granted where that is
 * better. Every caller's tier is decided here, when it is looked up: so a granted plan begins and ends on time without a sweep.
 * `grantedUntil` is the granted plan's end, null where the plan is not a granted one.
 */
export function planOf(account: Plans, now: Date): { plan: PlanName; grantedUntil: Date | null } {
  const granted = grantOf(account, now);
  return granted && rankOf(granted.plan) > rankOf(account.paidPlan)
    ? { plan: granted.plan, grantedUntil: granted.until }
    : { plan: account.paidPlan, grantedUntil: null };
}
