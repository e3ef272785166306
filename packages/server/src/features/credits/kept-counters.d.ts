import type { Transaction } from "../../platform/db/database.ts";
type Kept = {
    holder: string;
    /** Keyed hashes by which the same person is known again. */
    keys: readonly string[];
    now: Date;
};
/**
 * Deletes everything that credits know of a person. Their counter is kept under the keys until the month ends; what their
 * network used with them stays counted, in lines of the network's own.
 */
export declare function forgetHolder(tx: Transaction, { holder, keys, now }: Kept): Promise<void>;
/** Gives a new account the counter that a deleted one left under the same keys, with the lines that sum to it. */
export declare function restoreCounters(tx: Transaction, { holder, keys, now }: Kept): Promise<void>;
export {};
