import type { SubscriptionStatus } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { windowEnd } from "../credits/allowance.ts";
import type { Ledger } from "../credits/ledger.ts";
import { type Standing, standingOf } from "./standing.ts";
import { subscriptionsOf } from "./store.ts";
import { endOf, keepableUntil, nextPriceOf } from "./subscription.ts";

type UserInfoRoute = { db: Database; ledger: Ledger; clock: Clock };

/** `GET /user-info`: the person, their plan and how it goes on, and what is left of it. */
export function mountUserInfo(mount: Mount, { db, ledger, clock }: UserInfoRoute): void {
  mount(endpoints.userInfo, async ({ caller }) => {
    const { used, limit, window, fastUsed, fastLimit, mustVerify } = await ledger.usage(caller);
    const now = clock.now();
    const standing = standingOf(await subscriptionsOf(db, caller.accountId));
    return {
      plan: caller.tier,
      paid_plan: caller.paidPlan,
      granted_until: caller.grantedUntil?.toISOString() ?? null,
      ...subscriptionView(standing, now),
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

/** The part of a standing that a person sees. README.md has the fields' meaning. */
export function subscriptionView(standing: Standing, now: Date) {
  const { current, next } = standing;
  const status = statusOf(standing);
  const renewal = current && (endOf(current) ?? current.paidThrough ?? current.startsAt);
  const keepUntil = current && keepableUntil(current);
  const nextPrice = current && nextPriceOf(current);
  return {
    ...nextPlanView(standing),
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

export const nextPlanView = ({ next }: Standing) => ({
  next_plan: next?.plan ?? null,
  next_billing_date: next?.startsAt?.toISOString() ?? null,
});

function statusOf({ current, next }: Standing): SubscriptionStatus | null {
  if (!current) return null;
  if (current.state === "past_due") return "past_due";
  return current.stop && !next ? "cancellation_scheduled" : "active";
}
