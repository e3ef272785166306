import { type BillingCycle, type ChangeMode, type PaidPlanName } from "@tintype/contract";
import { type Subscription } from "./subscription.ts";
/** How a plan would begin. */
export type Terms = 
/** At once, and paid at once; in the place of what is paid ahead, where there is that. */
{
    mode: "now";
    replaces: Subscription | undefined;
    startsAt: null;
    paidBy: Date | null;
}
/** When the period under way ends; the first charge is then. */
 | {
    mode: "at_renewal";
    replaces: undefined;
    startsAt: Date;
    paidBy: Date;
};
/**
 * Every way in which a person can change to a plan now, the usual one first.
 * @throws conflict when a change is scheduled already, when it is the plan they have, or while a renewal is charged
 */
export declare function waysTo(subscriptions: readonly Subscription[], { plan, cycle, now }: {
    plan: PaidPlanName;
    cycle: BillingCycle;
    now: Date;
}): readonly [Terms, ...Terms[]];
/**
 * The terms of the way that was chosen; without a choice, the usual one.
 * @throws conflict as `waysTo` says, and when the plan cannot begin that way
 */
export declare function termsOf(subscriptions: readonly Subscription[], { mode, ...wanted }: {
    plan: PaidPlanName;
    cycle: BillingCycle;
    mode: ChangeMode | undefined;
    now: Date;
}): Terms;
