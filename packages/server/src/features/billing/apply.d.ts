import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import type { GatewayStatus } from "../../platform/payments/gateway.ts";
import { type PaymentRow } from "./store.ts";
import { type Subscription, type SubscriptionEvent } from "./subscription.ts";
/** An attempt to take money, as the gateway tells it. */
export type SeenPayment = Pick<PaymentRow, "id" | "amountMinor" | "currency" | "status" | "at" | "coversFrom" | "coversUntil">;
/** `seen` as it comes from the gateway: the payments are written down first, and all that are known count. */
export type Observation = {
    kind: "seen";
    at: Date;
    status: GatewayStatus;
    payments: readonly SeenPayment[];
};
export type Applying = {
    db: Database;
    clock: Clock;
    origin: string;
};
/**
 * Lets something happen to a subscription: payments, states, the person's plan, audit and mails in one transaction.
 * Answers the person's subscriptions after it; none where the subscription is not known.
 */
export declare function applyEvent(use: Applying, { subscriptionId, event, }: {
    subscriptionId: string;
    event: Observation | Exclude<SubscriptionEvent, {
        kind: "seen";
    }>;
}): Promise<Subscription[]>;
/** The same inside a transaction that the caller has begun. */
export declare function applyIn(tx: Transaction, { clock, origin }: Omit<Applying, "db">, { subscriptionId, event, }: {
    subscriptionId: string;
    event: Observation | Exclude<SubscriptionEvent, {
        kind: "seen";
    }>;
}): Promise<Subscription[]>;
