import { type PlanName } from "@tintype/contract";
import { type Effect, type Subscription, type SubscriptionEvent } from "./subscription.ts";
/** A person's subscriptions at a moment: the one that gives them their plan, and the one that comes next. */
export type Standing = {
    current: Subscription | undefined;
    next: Subscription | undefined;
    plan: PlanName;
};
export declare function standingOf(subscriptions: readonly Subscription[]): Standing;
export declare const rankOf: (plan: PlanName) => number;
export type PersonEffect = Effect & {
    subscriptionId: string;
};
export type PersonChange = {
    subscriptions: Subscription[];
    effects: PersonEffect[];
};
/**
 * An event on one of a person's subscriptions, and what follows for the others: never do two give a plan.
 * Whatever else is due by now happens too.
 */
export declare function settlePerson(subscriptions: readonly Subscription[], { targetId, event, now }: {
    targetId: string;
    event: SubscriptionEvent;
    now: Date;
}): PersonChange;
