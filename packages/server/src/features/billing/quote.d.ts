import { type BillingCycle, type ChangeQuote, type Currency, type PaidPlanName } from "@tintype/contract";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Subscription } from "./subscription.ts";
import { type Terms } from "./terms.ts";
import { type PaidPeriod } from "./unused.ts";
export type Offered = {
    plan: PaidPlanName;
    cycle: BillingCycle;
    currency: Currency;
};
/** The ways to a plan and what each charges and returns, as the checkout and the refund then do it. */
export declare function quoteChange({ db, clock }: {
    db: Queryable;
    clock: Clock;
}, { accountId, ...offered }: Offered & {
    accountId: string;
}): Promise<ChangeQuote[]>;
/** The payments of which an upgrade returns the unused part. */
export declare const paymentsReplaced: (db: Queryable, replaced: Pick<Subscription, "id"> | undefined) => Promise<PaidPeriod[]>;
/** The charge and the refund of an offer made at a moment. */
export declare function quoteOf({ mode, startsAt, replaces }: Terms, { plan, cycle, currency, payments, at }: Offered & {
    payments: readonly PaidPeriod[];
    at: Date;
}): ChangeQuote;
