import { keyModes, keyScopes } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/** People, keyed by who vouches for them and their name there; never by e-mail. */
export const accounts = pgTable(
  "accounts",
  {
    id: text("id").primaryKey(),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    email: text("email").notNull(),
    emailVerified: boolean("email_verified").notNull().default(false),
    name: text("name").notNull(),
    picture: text("picture"),
    plan: text("plan", { enum: ["hobby", "mini", "plus", "pro"] })
      .notNull()
      .default("hobby"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [uniqueIndex("accounts_issuer_subject").on(table.issuer, table.subject)],
);

/** API keys, by their hash: a reader of the table cannot call with one. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** SHA-256 of the whole key, base64url. */
    hash: text("hash").notNull().unique(),
    mode: text("mode", { enum: keyModes }).notNull(),
    name: text("name").notNull(),
    lastFour: text("last_four").notNull(),
    scopes: text("scopes", { enum: keyScopes }).array().notNull(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at"),
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [index("api_keys_account").on(table.accountId)],
);

/** Messages of the contact form. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    message: text("message").notNull(),
    at: moment("at").notNull(),
    /** When it went out by mail; null while it is still to go. */
    sentAt: moment("sent_at"),
  },
  (table) => [index("contact_messages_unsent").on(table.at).where(sql`${table.sentAt} is null`)],
);

/** Mails that have to go out, written in the transaction of what they tell; the text goes once it was sent. */
export const outboxMails = pgTable(
  "outbox_mails",
  {
    /** The event that it tells of: the same is never told twice. */
    key: text("key").primaryKey(),
    accountId: text("account_id"),
    message: jsonb("message"),
    createdAt: moment("created_at").notNull(),
    /** Null once it was sent, or given up. */
    dueAt: moment("due_at"),
    tries: integer("tries").notNull().default(0),
  },
  (table) => [
    index("outbox_mails_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("outbox_mails_sent").on(table.createdAt).where(sql`${table.dueAt} is null`),
  ],
);

/** A hash of who deleted their account: a token from before does not bring it back to life. */
export const deletedIdentities = pgTable("deleted_identities", {
  key: text("key").primaryKey(),
  at: moment("at").notNull(),
});
