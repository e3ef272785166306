import { type Reconciling } from "./reconcile.ts";
import { type Standing } from "./standing.ts";
/**
 * Takes back a cancellation, or a change that was to come. If neither exists,
 * nothing happens.
 * @throws conflict when no plan is left to keep, or its end is too near to take back
 */
export declare function keepPlan(use: Reconciling, accountId: string): Promise<Standing>;
