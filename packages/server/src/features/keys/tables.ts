import { heldScopes, keyModes } from "@tintype/contract";
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { timestamptz } from "../../platform/db/columns.ts";
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
    createdAt: timestamptz("created_at").notNull(),
    expiresAt: timestamptz("expires_at"),
    lastUsedAt: timestamptz("last_used_at"),
    /** The most files that it may process on a day (UTC). Null: no limit of its own. */
    dailyFiles: integer("daily_files"),
  },
  (table) => [index("api_keys_account").on(table.accountId)],
);
