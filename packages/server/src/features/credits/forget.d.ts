import type { Transaction } from "../../platform/db/database.ts";
import type { Holder } from "../accounts/leaving.ts";
/** Deletes counters, ledger and answers under a key. The use of the month is kept without a name. */
export declare function forget(tx: Transaction, { key, keptKeys, now }: Holder): Promise<undefined>;
