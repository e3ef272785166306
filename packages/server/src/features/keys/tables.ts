import { heldScopes, keyModes } from "@tintype/contract";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "../../platform/db/columns.ts";
import { ofAccount } from "../accounts/tables.ts";

/** API keys, stored as hashes: reading the table does not give access. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    /** SHA-256 of the whole key, base64url. */
    hash: text("hash").notNull().unique(),
    mode: text("mode", { enum: keyModes }).notNull(),
    name: text("name").notNull(),
    lastFour: text("last_four").notNull(),
    scopes: text("scopes", { enum: heldScopes }).array().notNull(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at"),
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [index("api_keys_account").on(table.accountId)],
);
