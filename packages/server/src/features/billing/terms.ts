import { type BillingCycle, DomainError, formatDay, type PaidPlanName, planLabels, text } from "@tintype/contract";
import { standingOf } from "./standing.ts";
import { endOf, type Subscription } from "./subscription.ts";

/** When a plan bought now would begin to count; null: at once. */
export type Terms = { startsAt: Date | null };

/** So long before a period ends nothing is sold that begins with its end: the checkout has to be through by then. */
const tooLateMs = 10 * 60_000;

/**
 * Under which terms a person can buy a plan now.
 * @throws conflict when a change is scheduled already, when it is the plan they have, or while a renewal is charged
 */
export function termsOf(
  subscriptions: readonly Subscription[],
  { plan, cycle, now }: { plan: PaidPlanName; cycle: BillingCycle; now: Date },
): Terms {
  const { current, next } = standingOf(subscriptions);
  if (next)
    throw new DomainError("conflict", {
      detail: text.changeScheduled({ plan: planLabels[next.plan], date: formatDay(next.startsAt ?? now) }),
    });
  // With nothing running, or nothing that is paid for, there is no end to wait for.
  if (!current || current.state === "past_due") return { startsAt: null };
  if (!current.stop && current.plan === plan && current.cycle === cycle)
    throw new DomainError("conflict", { detail: `You are on ${planLabels[plan]} already.` });
  const end = endOf(current) ?? current.paidThrough;
  if (!end || end.getTime() - now.getTime() < tooLateMs)
    throw new DomainError("conflict", {
      detail: "Your subscription is just being renewed or is about to end. Please try again in a quarter of an hour.",
    });
  return { startsAt: end };
}
