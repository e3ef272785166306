import type { Leaving } from "../accounts/leaving.ts";
import { type Reconciling } from "./reconcile.ts";
/** Billing's part in the end of an account: subscriptions end at once, and bookkeeping stays without a name. */
export declare const leaveBilling: (use: Reconciling) => Leaving;
