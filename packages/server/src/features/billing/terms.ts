import {
  type BillingCycle,
  type ChangeMode,
  DomainError,
  formatDay,
  type PaidPlanName,
  planLabels,
  rankOf,
  text,
} from "@tintype/contract";
import { planStateOf } from "./plan-state.ts";
import { endOf, type Subscription } from "./subscription.ts";

/** How a plan would start. */
export type Terms =
  /** At once and paid at once, replacing what is paid ahead, if anything. */
  | { mode: "now"; replaces: Subscription | undefined; startsAt: null; paidBy: Date | null }
  /** When the current period ends, with the first charge. */
  | { mode: "at_renewal"; replaces: undefined; startsAt: Date; paidBy: Date };

/** Nothing that starts with a period's end is sold this shortly before it: the checkout has to finish by then. */
const salesCutoffMs = 10 * 60_000;

/**
 * Every way in which a person can change to a plan now, the usual one first.
 * @throws conflict when a change is already scheduled, when it is their current plan, or while a renewal is being charged
 */
export function termsTo(
  subscriptions: readonly Subscription[],
  { plan, cycle, now }: { plan: PaidPlanName; cycle: BillingCycle; now: Date },
): readonly [Terms, ...Terms[]] {
  const { current, next } = planStateOf(subscriptions);
  if (next)
    throw new DomainError("conflict", {
      detail: text.changeScheduled({ plan: planLabels[next.plan], date: formatDay(next.startsAt ?? now) }),
    });
  // With nothing running, or nothing paid, there is no end to wait for.
  if (!current || current.state === "past_due")
    return [{ mode: "now", replaces: undefined, startsAt: null, paidBy: null }];
  if (!current.stop && current.plan === plan && current.cycle === cycle)
    throw new DomainError("conflict", { detail: `You are already on ${planLabels[plan]}.` });
  const end = endOf(current) ?? current.paidThrough;
  if (!end || end.getTime() - now.getTime() < salesCutoffMs)
    throw new DomainError("conflict", {
      detail: "Your subscription is being renewed or is about to end. Please try again in 15 minutes.",
    });
  const later: Terms = { mode: "at_renewal", replaces: undefined, startsAt: end, paidBy: end };
  if (rankOf(plan) <= rankOf(current.plan)) return [later];
  return [later, { mode: "now", replaces: current, startsAt: null, paidBy: end }];
}

/**
 * The terms of the chosen way; by default the usual one.
 * @throws conflict as in `termsTo`, and when the plan cannot start that way
 */
export function termsOf(
  subscriptions: readonly Subscription[],
  { mode, ...wanted }: { plan: PaidPlanName; cycle: BillingCycle; mode: ChangeMode | undefined; now: Date },
): Terms {
  const ways = termsTo(subscriptions, wanted);
  const chosen = mode === undefined ? ways[0] : ways.find((way) => way.mode === mode);
  if (chosen) return chosen;
  throw new DomainError("conflict", {
    detail:
      mode === "now"
        ? "Only a higher plan can start before renewal. Choose to switch at renewal."
        : "You have no paid period to wait for. Choose to start now.",
  });
}
