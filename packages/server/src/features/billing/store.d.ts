import type { Queryable, Transaction } from "../../platform/db/database.ts";
import { accounts, payments } from "../../platform/db/tables.ts";
import type { Subscription } from "./subscription.ts";
/** The account, held until the transaction ends: whatever changes one person's subscriptions stands in line here. */
export declare function lockAccount(tx: Transaction, accountId: string): Promise<typeof accounts.$inferSelect | undefined>;
export declare function subscriptionsOf(db: Queryable, accountId: string): Promise<Subscription[]>;
export declare function findSubscription(db: Queryable, by: {
    id: string;
} | {
    gatewayId: string;
}): Promise<Subscription | undefined>;
/** A new one, which until then only the caller may make at the gateway. */
export declare function insertSubscription(tx: Transaction, claimedUntil: Date, subscription: Subscription): Promise<void>;
/** Writes what was decided; `wakeAt` is when to look at it again. */
export declare function saveSubscription(tx: Queryable, subscription: Subscription, wakeAt: Date | null): Promise<void>;
/** Those it is time to look at, the longest waiting first. */
export declare function dueSubscriptions(db: Queryable, now: Date): Promise<Subscription[]>;
/** After an attempt at which the gateway gave no answer: a minute, then twice as long each time, to an hour. */
export declare function postponeLook(db: Queryable, id: string, now: Date): Promise<void>;
/** Checkouts that were open when the server went down may have been paid since. */
export declare function lookAtOpenNow(db: Queryable, now: Date): Promise<void>;
export type PaymentRow = typeof payments.$inferSelect;
export declare const paymentsOf: (db: Queryable, subscriptionId: string) => Promise<PaymentRow[]>;
/** Records an attempt to take money, once by its id; what is known of it only moves forward. */
export declare function recordPayment(tx: Transaction, payment: Pick<PaymentRow, "id" | "amountMinor" | "currency" | "status" | "at" | "coversFrom" | "coversUntil">, subscription: Subscription): Promise<void>;
/** Marks money to be sent back, all of it or a part; once. Answers whether it was this call. */
export declare function wantRefund(tx: Transaction, { paymentId, amountMinor, now }: {
    paymentId: string;
    amountMinor?: number;
    now: Date;
}): Promise<boolean>;
/** Makes the caller the one who creates it at the gateway; false while somebody else is, or when it is there. */
export declare function claimCreation(db: Queryable, id: string, { now, holdMs }: {
    now: Date;
    holdMs: number;
}): Promise<boolean>;
export declare function releaseClaim(db: Queryable, id: string): Promise<void>;
/** Records the gateway's subscription; it is looked at soon, since it may have been paid meanwhile, or given up here. */
export declare function keepGatewayId(db: Queryable, id: string, { gatewayId, now }: {
    gatewayId: string;
    now: Date;
}): Promise<void>;
