import type { CreditLine } from "@tintype/contract";
import type { Database } from "../../platform/db/database.ts";
type Page = {
    holder: string;
    before: number | undefined;
    size: number;
};
/**
 * A holder's ledger, newest first. All entries of a run are one line, which stands where the run began: a credit that
 * comes back later changes the line and does not move it to another page.
 */
export declare function listHistory(db: Database, { holder, before, size }: Page): Promise<{
    lines: CreditLine[];
    next: string | null;
}>;
export {};
