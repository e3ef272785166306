import type { Transaction } from "../../platform/db/database.ts";
import type { accounts } from "../../platform/db/tables.ts";
import type { PersonEffect } from "./standing.ts";
import { type Subscription } from "./subscription.ts";
export type Effects = {
    tx: Transaction;
    now: Date;
    origin: string;
    /** Undefined once it is deleted; then no mail is written. */
    account: typeof accounts.$inferSelect | undefined;
    /** The person's, as they are now. */
    subscriptions: readonly Subscription[];
};
/** Writes down what a transition brought about: an audit line, a mail, money that goes back. */
export declare function tellEffects(use: Effects, effect: PersonEffect): Promise<void>;
