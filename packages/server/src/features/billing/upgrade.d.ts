import { type BillingCycle, type PaidPlanName } from "@tintype/contract";
import { type Reconciling } from "./reconcile.ts";
import { type Standing } from "./standing.ts";
/** A checkout's claims. None of them is believed. */
export type Claim = {
    accountId: string;
    plan: PaidPlanName;
    cycle: BillingCycle;
    /** The checkout's answer, where the client hands it on. */
    signed?: {
        paymentId: string;
        subscriptionId: string;
        signature: string;
    };
};
/**
 * Confirms a checkout: the signature over the subscription we stored, and the gateway's word that it is paid and is
 * this person's and this plan's. Asking again, or for something paid long ago, changes nothing.
 * @throws conflict when it is not so, GatewayError
 */
export declare function confirmUpgrade(use: Reconciling, claim: Claim): Promise<Standing>;
