import type { Transaction } from "../../platform/db/database.ts";
import type { Holder } from "./leaving.ts";
/**
 * Deletes the account, with everything that hangs on its row, and its identity where we are the ones who vouch for it.
 * A token from before is refused from now on.
 */
export declare function forget(tx: Transaction, { accountId, issuer, subject, email }: Holder, { builtInIssuer }: {
    builtInIssuer: string | undefined;
}): Promise<void>;
