import { createHash } from "node:crypto";
import { and, desc, eq, gte, inArray, isNotNull, isNull, like, lt, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "./clock.ts";
import type { Database, Queryable } from "./db/database.ts";
import { type CursorPosition, isAfter } from "./db/page.ts";
import { outboxMails } from "./db/tables.ts";
import type { Mail, Message } from "./mail.ts";
import { type Backlog, createOutbox, measureBacklog, type Outbox, type Settlement } from "./outbox.ts";
import { currentRequestId } from "./request-id.ts";
import { exponentialBackoff } from "./retry-policy.ts";

export type OutboxMail = {
  /** Idempotency key, named for the event: one mail is sent per key. */
  key: string;
  accountId: string | null;
  message: Message;
};

/** Puts a mail in the outbox, in the transaction of its event. */
export async function putMail(tx: Queryable, { key, accountId, message }: OutboxMail, now: Date): Promise<void> {
  await tx
    .insert(outboxMails)
    .values({ key, accountId, message, createdAt: now, dueAt: now, requestId: currentRequestId() ?? null })
    .onConflictDoNothing();
}

/** The mails that wait to be sent. */
export type MailOutbox = Outbox & {
  /** Stores a mail and sends it soon; once per key. */
  post(mail: OutboxMail): Promise<void>;
};

const retries = exponentialBackoff({ firstDelayMs: 60_000, maxDelayMs: 6 * 3_600_000, retries: 15 });
/** A mail is reserved for this time. If its process dies, another sends it again. */
const reservationMs = 2 * 60_000;

/** How long a given-up mail can be retried. */
const failedTextRetentionMs = 7 * 86_400_000;

type MailOutboxOptions = {
  db: Database;
  clock: Clock;
  mail: Mail;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
};

/** Sends mails one after another. A sent mail keeps only its key; a given-up one keeps its text for a week. */
export function createMailOutbox({ db, clock, mail, log }: MailOutboxOptions): MailOutbox {
  const outbox = createOutbox({
    async reserve() {
      const now = clock.now();
      const [row] = await db
        .update(outboxMails)
        .set({ dueAt: new Date(now.getTime() + reservationMs), tries: sql`${outboxMails.tries} + 1` })
        .where(
          eq(
            outboxMails.key,
            sql`(select key from outbox_mails where due_at <= ${now.toISOString()}::timestamptz
              order by due_at limit 1 for update skip locked)`,
          ),
        )
        .returning();
      return row;
    },
    ownerOf: ({ key }) => key,
    async send({ key, message }) {
      // Only putMail writes messages.
      await mail.send({ ...(message as Message), id: createHash("sha256").update(key).digest("hex").slice(0, 32) });
      return "sent";
    },
    settle: ({ key, tries }, { state, dueAt, lastProblem }) =>
      db
        .update(outboxMails)
        .set({
          dueAt,
          lastProblem,
          // A deleted person's mail is not retried.
          ...(state === "sent" || (state === "failed" && key.startsWith("deleted:")) ? { message: null } : {}),
          failedAt: state === "failed" ? clock.now() : null,
          sentAt: state === "sent" ? clock.now() : null,
        })
        // The outcome is ignored if the reservation has expired.
        .where(and(eq(outboxMails.key, key), eq(outboxMails.tries, tries), isNotNull(outboxMails.message))),
    retries,
    concurrency: 1,
    clock,
    log,
    what: "a mail",
    describe: ({ key, requestId }) => ({ kind: kindOf(key), ...(requestId === null ? {} : { reqId: requestId }) }),
  });
  return {
    ...outbox,
    async post(posted) {
      await putMail(db, posted, clock.now());
      void outbox
        .sendDue()
        .catch((problem: unknown) => log.error({ err: problem }, "cannot send the due mails; they are retried"));
    },
  };
}

/** Mails that wait to be sent. */
export const mailBacklog = (db: Database, now: Date): Promise<Backlog> =>
  measureBacklog(db, { rows: sql`from outbox_mails where due_at is not null`, now });

/** The number of an account's mails put in the outbox since then, with this key prefix. */
export const countMails = (
  db: Queryable,
  { accountId, keyPrefix, since }: { accountId: string; keyPrefix: string; since: Date },
): Promise<number> =>
  db.$count(
    outboxMails,
    and(
      eq(outboxMails.accountId, accountId),
      like(outboxMails.key, `${keyPrefix}%`),
      gte(outboxMails.createdAt, since),
    ),
  );

/** A mail's state, and when it was sent. A sent one is deleted after 90 days. */
export async function mailState(
  db: Queryable,
  key: string,
): Promise<{ state: Settlement["state"]; sentAt: Date | null } | undefined> {
  const { dueAt, failedAt, sentAt } = outboxMails;
  const [row] = await db.select({ dueAt, failedAt, sentAt }).from(outboxMails).where(eq(outboxMails.key, key));
  return row && { state: stateOf(row), sentAt: row.sentAt };
}

const stateOf = ({ dueAt, failedAt }: { dueAt: Date | null; failedAt: Date | null }): Settlement["state"] =>
  dueAt ? "waiting" : failedAt ? "failed" : "sent";

/** Deletes mails, sent or not: all of an account, or those with these keys. */
export async function deleteMails(tx: Queryable, of: { accountId: string } | { keys: string[] }): Promise<void> {
  await tx
    .delete(outboxMails)
    .where("accountId" in of ? eq(outboxMails.accountId, of.accountId) : inArray(outboxMails.key, of.keys));
}

/** A mail that was given up, or that failed and will be retried. Without text and address. */
export type FailingMail = {
  key: string;
  kind: string;
  owner: string | null;
  createdAt: Date;
  dueAt: Date | null;
  tries: number;
  lastProblem: string | null;
  /** Whether its text still exists. */
  canRetry: boolean;
};

/** A key starts with the kind of event; the rest are ids. */
const kindOf = (key: string): string => /^[a-z-]+/i.exec(key)?.[0] ?? "mail";

/** Mails that were given up, or that failed and wait for the next attempt; newest first, after a cursor. */
export async function listFailingMails(
  db: Queryable,
  { state, after, limit }: { state: "waiting" | "failed"; after: CursorPosition | undefined; limit: number },
): Promise<FailingMail[]> {
  const { key, createdAt, dueAt, failedAt, tries } = outboxMails;
  const rows = await db
    .select({
      key,
      owner: outboxMails.accountId,
      createdAt,
      dueAt,
      tries,
      lastProblem: outboxMails.lastProblem,
      hasText: sql<boolean>`${outboxMails.message} is not null`,
    })
    .from(outboxMails)
    .where(
      and(
        state === "failed" ? isNotNull(failedAt) : and(isNotNull(dueAt), isNotNull(outboxMails.lastProblem)),
        isAfter(after, { at: createdAt, id: key }),
      ),
    )
    .orderBy(desc(createdAt), desc(key))
    .limit(limit);
  return rows.map(({ hasText, ...row }) => ({
    ...row,
    kind: kindOf(row.key),
    canRetry: state === "failed" && hasText,
  }));
}

/**
 * Makes a given-up mail due again, with all of its attempts restored. Returns how many it had used; undefined if it was
 * not given up, or its text is deleted.
 */
export async function retryMail(tx: Queryable, key: string, now: Date): Promise<{ tries: number } | undefined> {
  const given = and(eq(outboxMails.key, key), isNotNull(outboxMails.failedAt), isNotNull(outboxMails.message));
  const [row] = await tx.select({ tries: outboxMails.tries }).from(outboxMails).where(given).for("update");
  if (row) await tx.update(outboxMails).set({ dueAt: now, failedAt: null, tries: 0 }).where(given);
  return row;
}

/** What operators may see of a person's mails, newest first: kind and state, but no text. */
export async function listMails(
  db: Queryable,
  { owners, limit }: { owners: string[]; limit: number },
): Promise<{ kind: string; createdAt: Date; state: Settlement["state"]; tries: number }[]> {
  const { key, createdAt, dueAt, tries, failedAt } = outboxMails;
  const rows = await db
    .select({ key, createdAt, dueAt, tries, failedAt })
    .from(outboxMails)
    .where(inArray(outboxMails.accountId, owners))
    .orderBy(desc(createdAt))
    .limit(limit);
  return rows.map((row) => ({
    kind: kindOf(row.key),
    createdAt: row.createdAt,
    state: stateOf(row),
    tries: row.tries,
  }));
}

/** Keys are kept for as long as the same event could occur again. */
export async function forgetMails(db: Database, { before, now }: { before: Date; now: Date }): Promise<void> {
  await db
    .update(outboxMails)
    .set({ message: null })
    .where(
      and(
        lt(outboxMails.failedAt, new Date(now.getTime() - failedTextRetentionMs)),
        isNull(outboxMails.dueAt),
        isNotNull(outboxMails.message),
      ),
    );
  await db.delete(outboxMails).where(and(lt(outboxMails.createdAt, before), sql`${outboxMails.dueAt} is null`));
}
