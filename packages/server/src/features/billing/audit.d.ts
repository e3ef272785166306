import type { Queryable } from "../../platform/db/database.ts";
export type AuditLine = {
    at: Date;
    kind: string;
    accountId?: string | null;
    subscriptionId?: string | null;
    detail?: Record<string, unknown>;
};
/** Writes down what changed a plan or moved money, in the transaction that does it; or what tried to. */
export declare function writeAudit(db: Queryable, line: AuditLine): Promise<void>;
