import type { BillingCycle, Currency, PaidPlanName } from "@tintype/contract";
import type { GatewayStatus } from "../../platform/payments/gateway.ts";
/** `open`: sold, not taken up. `scheduled`: the card is authorised, begins later. README.md explains the others. */
export type SubscriptionState = "open" | "scheduled" | "active" | "past_due" | "halted" | "ended";
/**
 * Why we end it: the person asked; another one took its place; its checkout is no longer offered; it was bought
 * while another one was running; the account is gone.
 */
export type StopReason = "cancelled" | "replaced" | "abandoned" | "duplicate" | "deleted";
export type Stop = {
    reason: StopReason;
    at: Date;
    /** It ends then at the latest; without it, when what is paid for is over. */
    endsBy: Date | null;
    /** From then on the paid days count as unused, and their price goes back; null: nothing does. */
    refundsFrom: Date | null;
};
/** How far the gateway has to be, or has been, told of a stop. */
export type Told = "none" | "at-end" | "now";
/** A subscription as we know it. `state` follows from the rest and the time. */
export type Subscription = {
    id: string;
    accountId: string | null;
    gatewayId: string | null;
    gatewayPlanId: string;
    plan: PaidPlanName;
    cycle: BillingCycle;
    currency: Currency;
    amountMinor: number;
    state: SubscriptionState;
    /** When it begins and the gateway first charges; null: at the checkout. */
    startsAt: Date | null;
    /** The subscription whose place it takes as soon as it is paid, where the person upgrades within a period. */
    replaces: string | null;
    /** The end of the last period there is money for. */
    paidThrough: Date | null;
    gatewayStatus: GatewayStatus;
    /** When the gateway last said so. */
    seenAt: Date | null;
    stop: Stop | null;
    told: Told;
    createdAt: Date;
    expiresAt: Date;
};
/** Money that was taken for a subscription. */
export type Payment = {
    id: string;
    at: Date;
    coversUntil: Date;
};
export type SubscriptionEvent = 
/** The gateway was asked at that time, by whatever made us ask: checkout, webhook, poll or clock. */
{
    kind: "seen";
    at: Date;
    status: GatewayStatus;
    payments: readonly Payment[];
} | {
    kind: "stop";
    stop: Stop;
}
/** The stop is taken back, where it still can be. */
 | {
    kind: "resume";
} | {
    kind: "told";
    told: Told;
} | {
    kind: "time";
};
export type Effect = 
/** The card is authorised: at `startsAt` the plan is theirs. Nothing was charged. */
{
    kind: "scheduled";
}
/** The first money arrived. */
 | {
    kind: "began";
    paymentId: string;
} | {
    kind: "renewed";
    paymentId: string;
    paidThrough: Date;
}
/** `startsAt` has come. */
 | {
    kind: "started";
} | {
    kind: "charge-failed";
} | {
    kind: "halted";
} | {
    kind: "ended";
} | {
    kind: "stopped";
    reason: StopReason;
} | {
    kind: "resumed";
}
/** The price of the unused days goes back. Said each time it is looked at. */
 | {
    kind: "refund-unused";
}
/** Money that came for nothing: it goes back. Said each time it is seen. */
 | {
    kind: "refund";
    paymentId: string;
};
export type Change = {
    subscription: Subscription;
    effects: Effect[];
};
/** Statuses after which the gateway takes no more money. */
export declare const isOverAtGateway: (status: GatewayStatus) => boolean;
/** When it ends, or null while it goes on. */
export declare function endOf({ paidThrough, stop, gatewayStatus }: Subscription): Date | null;
/** Its state at a moment. Total: every set of facts has its state, in whatever order they came. */
export declare function stateOf(subscription: Subscription, now: Date): SubscriptionState;
/**
 * One event in; the new subscription and what has to happen out. The same event again changes nothing; events in
 * another order come to the same end, since money only adds up and the newest word of the gateway counts.
 */
export declare function transition(before: Subscription, event: SubscriptionEvent, now: Date): Change;
/** Until when its stop can be taken back; null where it is not stopped, or cannot go on. */
export declare const keepableUntil: (subscription: Subscription) => Date | null;
/** The call that the gateway still needs, or undefined. */
export declare function toTell(subscription: Subscription, now: Date): Exclude<Told, "none"> | undefined;
/** When to look at it next, should nothing be heard of it before; null: never again. */
export declare function nextLook(subscription: Subscription, now: Date): Date | null;
