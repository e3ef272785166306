import type { Queryable } from "../../platform/db/database.ts";
import { auditLines } from "./tables.ts";

export type AuditLine = {
  at: Date;
  kind: string;
  accountId?: string | null;
  subscriptionId?: string | null;
  detail?: Record<string, unknown>;
};

/** Records what changed a plan or moved money, in the transaction that does it, or an attempt to. */
export async function writeAudit(db: Queryable, line: AuditLine): Promise<void> {
  const { at, kind, accountId = null, subscriptionId = null, detail = {} } = line;
  await db.insert(auditLines).values({ at, kind, accountId, subscriptionId, detail });
}
