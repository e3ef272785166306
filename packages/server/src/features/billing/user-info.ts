import { endpoints, type SubscriptionStatus } from "@tintype/contract";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { windowEnd } from "../credits/allowance.ts";
import type { Ledger } from "../credits/ledger.ts";
import { lastOf, type Standing, standingOf } from "./standing.ts";
import { subscriptionsOf } from "./store.ts";
import { endOf } from "./subscription.ts";

type UserInfoRoute = { db: Database; ledger: Ledger; clock: Clock };

/** `GET /user-info`: the person, their plan and how it goes on, and what is left of it. */
export function mountUserInfo(mount: Mount, { db, ledger, clock }: UserInfoRoute): void {
  mount(endpoints.userInfo, async ({ caller }) => {
    const { used, limit, window, fastUsed, fastLimit, mustVerify } = await ledger.usage(caller);
    const now = clock.now();
    const standing = standingOf(await subscriptionsOf(db, caller.accountId));
    return {
      plan: caller.tier,
      ...subscriptionView(standing),
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

/** What of a standing a person sees. README.md has the fields' meaning. */
function subscriptionView(standing: Standing) {
  const { current, next } = standing;
  const status = statusOf(standing);
  const last = lastOf(standing);
  const renewal = status === "cancellation_scheduled" ? last && endOf(last) : current?.paidThrough;
  return {
    ...nextPlanView(standing),
    can_switch: next === undefined && status !== "cancellation_scheduled",
    subscription_id: current?.gatewayId ?? null,
    subscription_status: status,
    billing_cycle: current?.cycle ?? null,
    renewal_date: renewal?.toISOString() ?? null,
  };
}

export const nextPlanView = ({ next }: Standing) => ({
  next_plan: next?.plan ?? null,
  next_billing_date: next?.startsAt?.toISOString() ?? null,
});

function statusOf(standing: Standing): SubscriptionStatus | null {
  if (!standing.current) return null;
  if (standing.current.state === "past_due") return "past_due";
  return lastOf(standing)?.stop ? "cancellation_scheduled" : "active";
}
