import { type Transaction } from "@tintype/contract";
import type { Database } from "../../platform/db/database.ts";
/** A person's payments, newest first; `next` leads to the page after. */
export declare function listTransactions(db: Database, accountId: string, { before, size }: {
    before?: string | undefined;
    size: number;
}): Promise<{
    transactions: Transaction[];
    next: string | null;
}>;
