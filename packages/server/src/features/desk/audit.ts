import type { AuditEntry, DeskAction } from "@tintype/contract";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { pageOf, readCursor } from "../../platform/db/page.ts";
import { findAccounts } from "../accounts/people.ts";
import { adminAudit } from "./tables.ts";

/** Values before and after a change, without names and addresses, because the log outlives accounts. */
export type Facts = Record<string, string | number | boolean | null>;

export type DeskChange = {
  at: Date;
  /** The operator's account, or `command`. */
  actor: string;
  action: DeskAction;
  /** The id of an account, a payment or a message. */
  subject: string;
  reason: string;
  before?: Facts;
  after?: Facts;
  requestId?: string | undefined;
};

/** Writes a change to the audit log, in the transaction that makes it. */
export async function writeChange(tx: Queryable, change: DeskChange): Promise<void> {
  const { before = null, after = null, requestId = null, ...rest } = change;
  await tx.insert(adminAudit).values({ ...rest, before, after, requestId });
}

type Page = { before: string | undefined; size: number; subject: string | undefined };

/** The log, newest first; `next` is the next page's cursor. @throws invalid-request */
export async function listChanges(
  db: Database,
  { before, size, subject }: Page,
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const after = readCursor(before, /^\d{1,15}$/);
  const rows = await db
    .select()
    .from(adminAudit)
    .where(
      and(
        subject === undefined ? undefined : eq(adminAudit.subject, subject),
        after === undefined ? undefined : lt(adminAudit.id, Number(after)),
      ),
    )
    .orderBy(desc(adminAudit.id))
    .limit(size + 1);
  const { shown, next } = pageOf(rows, { size, cursorOf: ({ id }) => String(id) });
  const actors = await findAccounts(db, [...new Set(shown.map(({ actor }) => actor))]);
  const emails = new Map(actors.map(({ id, email }) => [id, email]));
  return {
    entries: shown.map(({ id, at, before: was, after: is, requestId, ...row }) => ({
      ...row,
      id: String(id),
      at: at.toISOString(),
      actor_email: emails.get(row.actor) ?? null,
      before: was as Facts | null, // only writeChange writes it
      after: is as Facts | null,
      request_id: requestId,
    })),
    next,
  };
}
