import { sql } from "drizzle-orm";
import { jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { timestamptz } from "../../platform/db/columns.ts";
import { ofAccount } from "../accounts/tables.ts";

/** People's own recipes, with their steps as written. */
export const recipes = pgTable(
  "recipes",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    name: text("name").notNull(),
    steps: jsonb("steps").notNull(),
    createdAt: timestamptz("created_at").notNull(),
    updatedAt: timestamptz("updated_at").notNull(),
  },
  (table) => [uniqueIndex("recipes_name").on(table.accountId, sql`lower(${table.name})`)],
);
