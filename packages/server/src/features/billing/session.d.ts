import { type ChangeMode } from "@tintype/contract";
import { type PlanIds } from "../../platform/payments/plan-ids.ts";
import { type Offered } from "./quote.ts";
import { type Reconciling } from "./reconcile.ts";
import type { Subscription } from "./subscription.ts";
export type Selling = Reconciling & {
    planIds: PlanIds;
    /** @throws GatewayError, or Error where the gateway's plans are not what we sell */
    checkPlans(): Promise<void>;
};
type Wanted = Offered & {
    accountId: string;
    /** Without one, the usual way. */
    mode?: ChangeMode | undefined;
    /** The amounts that the person has seen and agreed to. */
    agreed?: {
        chargeTodayMinor: number;
        refundMinor: number;
    } | undefined;
};
/**
 * The gateway's subscription to be paid at the checkout; the same one for as long as the same thing is asked for.
 * @throws conflict as `termsOf` says, GatewayError
 */
export declare function openSession(use: Selling, wanted: Wanted): Promise<string>;
/** The gateway's subscription that carries our id, if there is one. */
export declare function findMade({ gateway }: Pick<Selling, "gateway">, subscription: Subscription): Promise<string | undefined>;
export {};
