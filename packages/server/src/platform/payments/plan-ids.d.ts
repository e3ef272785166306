import { type BillingCycle, type Currency, type PaidPlanName } from "@tintype/contract";
import { type PaymentGateway } from "./gateway.ts";
/** The product: a plan for a cycle in a currency. */
export type Offer = {
    plan: PaidPlanName;
    cycle: BillingCycle;
    currency: Currency;
};
/** The gateway's plan for each of them, by `offerKey`. */
export type PlanIds = ReadonlyMap<string, string>;
/** `mini-monthly-USD` */
export declare const offerKey: ({ plan, cycle, currency }: Offer) => string;
export declare const offers: readonly Offer[];
/**
 * Plan ids from their setting: `mini-monthly-USD=plan_..., mini-monthly-INR=plan_...`, all twelve.
 * @throws Error naming each one that is missing, doubled or unknown
 */
export declare function readPlanIds(pairs: readonly string[]): PlanIds;
/**
 * Asks the gateway for each plan and compares it with the one table of prices; answers a sentence for each that is
 * not what we sell.
 * @throws GatewayError when the gateway does not answer
 */
export declare function checkPlans(gateway: PaymentGateway, ids: PlanIds): Promise<string[]>;
