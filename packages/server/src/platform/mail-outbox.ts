import { createHash } from "node:crypto";
import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Clock } from "./clock.ts";
import type { Database, Queryable } from "./db/database.ts";
import { outboxMails } from "./db/tables.ts";
import type { Mail, Message } from "./mail.ts";

export type OutboxMail = {
  /** Idempotency key, named for the event: one mail is sent for each. */
  key: string;
  accountId: string | null;
  message: Message;
};

/** Puts a mail in the outbox, in the transaction of its event. */
export async function putMail(tx: Queryable, { key, accountId, message }: OutboxMail, now: Date): Promise<void> {
  await tx.insert(outboxMails).values({ key, accountId, message, createdAt: now, dueAt: now }).onConflictDoNothing();
}

type Sending = { db: Database; clock: Clock; mail: Mail; log: { error(details: object, message: string): void } };

/** Exponential backoff: retries after 1, 2, 4... minutes, at most 6 hours, and 16 attempts (two days) in all. */
const mostTries = 16;
const pauseMs = (tries: number) => Math.min(6 * 3_600_000, 60_000 * 2 ** tries);
/** A mail is reserved for this time; if its process dies, another sends it again. */
const holdMs = 2 * 60_000;

/** Sends due mails. Of a sent mail only the key stays. */
async function sendOutbox({ db, clock, mail, log }: Sending): Promise<void> {
  for (;;) {
    const now = clock.now();
    const [row] = await db
      .update(outboxMails)
      .set({ dueAt: new Date(now.getTime() + holdMs), tries: sql`${outboxMails.tries} + 1` })
      .where(
        eq(
          outboxMails.key,
          sql`(select key from outbox_mails where due_at <= ${now.toISOString()}::timestamptz
            order by due_at limit 1 for update skip locked)`,
        ),
      )
      .returning();
    if (!row) return;
    const message = row.message as Message; // only putMail writes it
    const mine = eq(outboxMails.key, row.key);
    try {
      await mail.send({ ...message, id: createHash("sha256").update(row.key).digest("hex").slice(0, 32) });
      await db.update(outboxMails).set({ message: null, dueAt: null }).where(mine);
    } catch (problem) {
      const isGivenUp = row.tries >= mostTries;
      log.error({ err: problem, tries: row.tries, isGivenUp }, "a mail could not be sent");
      await db
        .update(outboxMails)
        .set(isGivenUp ? { message: null, dueAt: null } : { dueAt: new Date(now.getTime() + pauseMs(row.tries - 1)) })
        .where(and(mine, isNotNull(outboxMails.message)));
    }
  }
}

/** Keys are kept for as long as the same event could occur again. */
export async function forgetMails(db: Database, before: Date): Promise<void> {
  await db.delete(outboxMails).where(and(lt(outboxMails.createdAt, before), sql`${outboxMails.dueAt} is null`));
}

/** The outbox as one part: what stands below billing posts by it. */
export type Outbox = {
  /** Keeps a mail and sends it soon; under one key it goes out once. */
  post(mail: OutboxMail): Promise<void>;
  /** Sends what is due, after what is being sent. */
  sendDue(): Promise<void>;
  /** Waits for what is being sent. */
  close(): Promise<void>;
};

export function createOutbox(use: Sending): Outbox {
  let sending: Promise<void> = Promise.resolve();
  let isClosed = false;
  const send = async () => {
    if (isClosed) return;
    await sendOutbox(use).catch((problem: unknown) => use.log.error({ err: problem }, "the outbox could not be sent"));
  };
  const sendDue = () => {
    sending = sending.then(send);
    return sending;
  };
  return {
    async post(mail) {
      await putMail(use.db, mail, use.clock.now());
      void sendDue();
    },
    sendDue,
    async close() {
      isClosed = true;
      await sending;
    },
  };
}
