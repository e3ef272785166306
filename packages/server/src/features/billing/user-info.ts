import type { SubscriptionStatus } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { windowEnd } from "../credits/allowance.ts";
import type { Ledger } from "../credits/ledger.ts";
import { type PlanState, planStateOf } from "./plan-state.ts";
import { subscriptionsOf } from "./store.ts";
import { endOf, keepableUntil, nextPriceOf } from "./subscription.ts";

type UserInfoRoute = { db: Database; ledger: Ledger; clock: Clock };

/** `GET /user-info`: the person, their plan and its next renewal or end, and the credits left. */
export function mountUserInfo(mount: Mount, { db, ledger, clock }: UserInfoRoute): void {
  mount(endpoints.userInfo, async ({ caller }) => {
    const { used, limit, window, fastUsed, fastLimit, mustVerify } = await ledger.usage(caller);
    const now = clock.now();
    const planState = planStateOf(await subscriptionsOf(db, caller.accountId));
    return {
      plan: caller.tier,
      paid_plan: caller.paidPlan,
      granted_until: caller.grantedUntil?.toISOString() ?? null,
      ...subscriptionView(planState, now),
      service_count: used,
      limit,
      window,
      resets_at: windowEnd(window, now)?.toISOString() ?? null,
      must_verify_email: mustVerify,
      fast_lane: { used: fastUsed, limit: fastLimit },
      email: caller.email,
      name: caller.name,
      picture: caller.picture,
    };
  });
}

/** The part of the plan state that a person sees. README.md explains the fields. */
export function subscriptionView(planState: PlanState, now: Date) {
  const { current, next } = planState;
  const status = statusOf(planState);
  const renewal = current && (endOf(current) ?? current.paidThrough ?? current.startsAt);
  const keepUntil = current && keepableUntil(current);
  const nextPrice = current && nextPriceOf(current);
  return {
    ...nextPlanView(planState),
    next_billing_cycle: next?.cycle ?? null,
    next_plan_price: next ? { amount_minor: next.amountMinor, currency: next.currency } : null,
    can_switch: next === undefined && status !== "cancellation_scheduled",
    subscription_id: current?.gatewayId ?? null,
    subscription_status: status,
    billing_cycle: current?.cycle ?? null,
    renewal_date: renewal?.toISOString() ?? null,
    keep_until: keepUntil && keepUntil > now ? keepUntil.toISOString() : null,
    price: current ? { amount_minor: current.amountMinor, currency: current.currency } : null,
    next_price: nextPrice
      ? { amount_minor: nextPrice.amountMinor, currency: current.currency, from: nextPrice.from.toISOString() }
      : null,
  };
}

export const nextPlanView = ({ next }: PlanState) => ({
  next_plan: next?.plan ?? null,
  next_billing_date: next?.startsAt?.toISOString() ?? null,
});

function statusOf({ current, next }: PlanState): SubscriptionStatus | null {
  if (!current) return null;
  if (current.state === "past_due") return "past_due";
  return current.stop && !next ? "cancellation_scheduled" : "active";
}
