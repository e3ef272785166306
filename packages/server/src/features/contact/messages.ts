import { type ContactMessage, DomainError } from "@tintype/contract";
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { nameSlot } from "../../platform/brand/brand-mail.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { isAfter, pageOf, readPlace, writePlace } from "../../platform/db/page.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import { contactMessages } from "./tables.ts";

type Row = typeof contactMessages.$inferSelect;
type Page = { state: "open" | "answered"; before: string | undefined; size: number };

/** Messages of the contact form, newest first; `next` is the next page's cursor. @throws invalid-request */
export async function listMessages(
  db: Database,
  { state, before, size }: Page,
): Promise<{ messages: ContactMessage[]; next: string | null }> {
  const { at, id, answeredAt } = contactMessages;
  const rows = await db
    .select()
    .from(contactMessages)
    .where(
      and(state === "open" ? isNull(answeredAt) : isNotNull(answeredAt), isAfter(readPlace(before), contactMessages)),
    )
    .orderBy(desc(at), desc(id))
    .limit(size + 1);
  const { shown, next } = pageOf(rows, { size, cursorOf: writePlace });
  return { messages: shown.map(viewOf), next };
}

/** Messages sent under an address. */
export async function messagesFrom(db: Database, email: string): Promise<ContactMessage[]> {
  const rows = await db
    .select()
    .from(contactMessages)
    .where(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()))
    .orderBy(desc(contactMessages.at));
  return rows.map(viewOf);
}

/** The owner of a message's answers in the outbox. */
export const answersOf = (messageId: string) => `contact:${messageId}`;

type MailAnswer = { id: string; text: string; replyTo: string | undefined; now: Date };

/** Puts the answer in the outbox and marks the message as answered. @throws not-found */
export async function answerByMail(tx: Transaction, { id, text, replyTo, now }: MailAnswer): Promise<void> {
  const { email, message, name } = await holdMessage(tx, id);
  const quoted = message.replace(/^/gm, "> ");
  await putMail(
    tx,
    {
      key: `answer:${id}:${now.getTime()}`,
      accountId: answersOf(id),
      message: {
        to: email,
        subject: `Your message to ${nameSlot}`,
        text: `${text}\n\n${name} wrote:\n${quoted}\n`,
        ...(replyTo === undefined ? {} : { replyTo }),
      },
    },
    now,
  );
  await tx.update(contactMessages).set({ answeredAt: now }).where(eq(contactMessages.id, id));
}

/** Marks a message as answered; null reopens it. Returns whether it was answered before. @throws not-found */
export async function markMessage(
  tx: Transaction,
  { id, answeredAt }: { id: string; answeredAt: Date | null },
): Promise<boolean> {
  const before = await holdMessage(tx, id);
  await tx.update(contactMessages).set({ answeredAt }).where(eq(contactMessages.id, id));
  return before.answeredAt !== null;
}

async function holdMessage(tx: Transaction, id: string): Promise<Row> {
  const [row] = await tx.select().from(contactMessages).where(eq(contactMessages.id, id)).for("update");
  if (!row) throw new DomainError("not-found");
  return row;
}

const viewOf = ({ id, name, email, message, at, answeredAt }: Row): ContactMessage => ({
  id,
  name,
  email,
  message,
  at: at.toISOString(),
  answered_at: answeredAt?.toISOString() ?? null,
});
