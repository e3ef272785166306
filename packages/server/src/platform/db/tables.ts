import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { timestamptz } from "./columns.ts";

/** Mails to send, inserted in the transaction of their event. The text is deleted once sent, or a week after the last attempt. */
export const outboxMails = pgTable(
  "outbox_mails",
  {
    /** The event: at most one mail per key. */
    key: text("key").primaryKey(),
    accountId: text("account_id"),
    message: jsonb("message"),
    createdAt: timestamptz("created_at").notNull(),
    /** Null once sent or given up. */
    dueAt: timestamptz("due_at"),
    tries: integer("tries").notNull().default(0),
    /** Also null for mails from before this column. */
    sentAt: timestamptz("sent_at"),
    /** When it was given up. */
    failedAt: timestamptz("failed_at"),
    /** The last attempt's error, without addresses. */
    lastProblem: text("last_problem"),
    /** The request that caused it, for the log. */
    requestId: text("request_id"),
  },
  (table) => [
    index("outbox_mails_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("outbox_mails_failed").on(table.failedAt).where(sql`${table.failedAt} is not null`),
    index("outbox_mails_account").on(table.accountId),
    index("outbox_mails_sent").on(table.createdAt).where(sql`${table.dueAt} is null`),
  ],
);

/** The payment sandbox's records: plans, subscriptions, invoices, payments and webhooks to be sent. */
export const sandboxRecords = pgTable(
  "sandbox_records",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["subscription", "invoice", "payment", "refund", "webhook"] }).notNull(),
    /** The subscription an invoice, a payment or a webhook belongs to. */
    parent: text("parent"),
    createdAt: timestamptz("created_at").notNull(),
    /** When time alone changes it next. */
    dueAt: timestamptz("due_at"),
    body: jsonb("body").notNull(),
  },
  (table) => [
    index("sandbox_records_parent").on(table.parent, table.kind),
    index("sandbox_records_due").on(table.kind, table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
);
