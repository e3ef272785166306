import type { Person } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { accounts } from "../../platform/db/tables.ts";
import type { Identity } from "./token.ts";
export type Account = typeof accounts.$inferSelect;
export type Accounts = {
    db: Database;
    clock: Clock;
    /** Extends a new account, in the transaction that makes it. */
    onMade(tx: Transaction, account: Account): Promise<void>;
};
/** The person a verified token names, with the plan they have now; made on their first call. */
export declare function personOf(identity: Identity, network: string, use: Accounts): Promise<Person>;
type Shown = Pick<Person, "by" | "scopes" | "mode" | "network">;
/** The person of an account, by what they showed. */
export declare function personOfAccount(account: Omit<Account, "createdAt">, shown: Shown): Person;
/** Whom a person's credits and jobs are counted for. */
export declare const holderOf: (accountId: string) => string;
export {};
