import { deskActions, deskRoles } from "@tintype/contract";
import { bigserial, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { timestamptz } from "../../platform/db/columns.ts";
import { accounts } from "../accounts/tables.ts";

/** Accounts that may use the operator's desk. */
export const operators = pgTable("operators", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  role: text("role", { enum: deskRoles }).notNull(),
  grantedAt: timestamptz("granted_at").notNull(),
});

/**
 * What operators changed. Append-only: a trigger refuses `update`, `delete` and `truncate`. Identifies people by id only,
 * since it outlives their accounts.
 */
export const adminAudit = pgTable(
  "admin_audit",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    at: timestamptz("at").notNull(),
    /** The operator's account, or `command`. */
    actor: text("actor").notNull(),
    action: text("action", { enum: deskActions }).notNull(),
    /** The id of an account, a payment or a message. */
    subject: text("subject").notNull(),
    reason: text("reason").notNull(),
    before: jsonb("before"),
    after: jsonb("after"),
    requestId: text("request_id"),
  },
  (table) => [index("admin_audit_subject").on(table.subject, table.id)],
);
