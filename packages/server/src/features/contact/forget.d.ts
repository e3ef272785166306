import type { Transaction } from "../../platform/db/database.ts";
import type { Holder } from "../accounts/leaving.ts";
/**
 * Deletes what was written from the holder's address. Anybody can type an address at the sign-up: only its owner may
 * have what was written from it deleted.
 */
export declare function forget(tx: Transaction, { email, emailVerified }: Holder): Promise<undefined>;
