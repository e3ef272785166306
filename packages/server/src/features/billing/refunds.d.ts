import type { Reconciling } from "./reconcile.ts";
/**
 * Sends money back. One key a payment: the gateway carries a repeated request out once. Refused means that the money
 * went back before; anything else is tried again.
 */
export declare function sendRefunds({ db, clock, gateway, log }: Reconciling): Promise<void>;
