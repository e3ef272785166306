import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { timestamptz } from "../../platform/db/columns.ts";

/** Messages of the contact form. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    message: text("message").notNull(),
    at: timestamptz("at").notNull(),
    /** When it was mailed; null until then. */
    sentAt: timestamptz("sent_at"),
    /** When an operator answered it, or marked it as answered. */
    answeredAt: timestamptz("answered_at"),
  },
  (table) => [
    index("contact_messages_unsent").on(table.at).where(sql`${table.sentAt} is null`),
    index("contact_messages_open").on(table.at, table.id).where(sql`${table.answeredAt} is null`),
    index("contact_messages_answered").on(table.at, table.id).where(sql`${table.answeredAt} is not null`),
    index("contact_messages_email").on(sql`lower(${table.email})`),
  ],
);
