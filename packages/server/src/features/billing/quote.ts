import { addCycles, type ChangeQuote, priceOfPlan } from "@tintype/contract";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { PlanOffer } from "../../platform/payments/plan-ids.ts";
import { paymentsOf, subscriptionsOf } from "./store.ts";
import type { Subscription } from "./subscription.ts";
import { type Terms, termsTo } from "./terms.ts";
import { type PaidPeriod, unusedOfAll } from "./unused.ts";

/** The ways to change to a plan, with what each charges and refunds, exactly as the checkout and the refund will. */
export async function quoteChange(
  { db, clock }: { db: Queryable; clock: Clock },
  { accountId, ...offered }: PlanOffer & { accountId: string },
): Promise<ChangeQuote[]> {
  const now = clock.now();
  const ways = termsTo(await subscriptionsOf(db, accountId), { ...offered, now });
  return Promise.all(
    ways.map(async (terms) =>
      quoteOf(terms, { ...offered, at: now, payments: await paymentsReplaced(db, terms.replaces) }),
    ),
  );
}

/** The payments whose unused part an upgrade refunds. */
export const paymentsReplaced = async (
  db: Queryable,
  replaced: Pick<Subscription, "id"> | undefined,
): Promise<PaidPeriod[]> => (replaced ? paymentsOf(db, replaced.id) : []);

/** The charge and the refund of an offer made at a given time. */
export function quoteOf(
  { mode, startsAt, replaces }: Terms,
  { plan, cycle, currency, payments, at }: PlanOffer & { payments: readonly PaidPeriod[]; at: Date },
): ChangeQuote {
  const price = priceOfPlan({ plan, cycle, currency });
  const unused = unusedOfAll(payments, at);
  return {
    mode,
    begins_at: (startsAt ?? at).toISOString(),
    charge_today_minor: startsAt ? 0 : price,
    price_minor: price,
    currency,
    next_charge_at: (startsAt ?? addCycles(at, { cycle })).toISOString(),
    refund:
      replaces && unused.amountMinor > 0
        ? { plan: replaces.plan, days: unused.days, amount_minor: unused.amountMinor, currency: replaces.currency }
        : null,
  };
}
