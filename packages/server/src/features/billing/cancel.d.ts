import { type Reconciling } from "./reconcile.ts";
/**
 * Cancels at the end of what is paid for, with any change that was to come after it, and answers when that is; again,
 * the same answer. The gateway is told of it shortly before that end, since it takes no cancellation back.
 * @throws not-found when it is no running subscription of this person
 */
export declare function cancelSubscription(use: Reconciling, { accountId, gatewayId }: {
    accountId: string;
    gatewayId: string;
}): Promise<Date>;
