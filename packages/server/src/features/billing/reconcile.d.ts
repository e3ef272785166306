import { type PaymentGateway } from "../../platform/payments/gateway.ts";
import { type Applying } from "./apply.ts";
import { type Subscription } from "./subscription.ts";
export type Reconciling = Applying & {
    gateway: PaymentGateway;
    log: {
        warn(details: object, message: string): void;
        error(details: object, message: string): void;
    };
};
/**
 * Asks the gateway how a subscription stands, and lets what it says happen. Checkout, webhooks, the poll and the
 * clock all come through here: none of them is believed more than another.
 * @throws GatewayError; then nothing was changed
 */
export declare function reconcile(use: Reconciling, subscription: Subscription, 
/** Payments somebody named, which may not stand on an invoice. */
{ paymentIds }?: {
    paymentIds?: readonly string[];
}): Promise<Subscription[]>;
/** The note on the gateway's subscription that says which of ours it is. */
export declare const ourNote = "tintype_subscription";
/**
 * Tells the gateway of what we stopped. A failure is only logged: the row remembers what is still to be told, and
 * the next look at it tries again.
 */
export declare function tellGateway(use: Reconciling, subscriptions: readonly Subscription[]): Promise<void>;
