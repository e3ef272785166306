import { type Reconciling } from "./reconcile.ts";
/**
 * Looks at every subscription whose time has come: what no webhook told, a server that died between payment and
 * upgrade, periods that end.
 */
export declare function lookAtDue(use: Reconciling): Promise<void>;
/**
 * Tells the gateway of ends that have come, before it may charge again. The looks would do it too; but where the
 * sandbox is the gateway, its time passes in one leap together with ours.
 */
export declare function tellEnds(use: Reconciling): Promise<void>;
/** Deletes what nothing asks for any more. */
export declare function forgetOld({ db, clock }: Reconciling): Promise<void>;
