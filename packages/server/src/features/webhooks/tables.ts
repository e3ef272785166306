import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { moment, sending } from "../../platform/db/columns.ts";
import { accounts } from "../accounts/tables.ts";
import { jobs } from "../jobs/tables.ts";

/** Addresses that an account has told of the end of its jobs. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Null: the row stands for the `webhook_url` of single calls, and holds the version of the account's secret. */
    url: text("url"),
    /** Secrets are derived from it. */
    secretVersion: integer("secret_version").notNull().default(1),
    /** Until then deliveries are signed with the version before, too. */
    previousUntil: moment("previous_until"),
    /** When the address answered 410. */
    disabledAt: moment("disabled_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("webhook_endpoints_account").on(table.accountId),
    uniqueIndex("webhook_endpoints_single").on(table.accountId).where(sql`${table.url} is null`),
  ],
);

/** One row an address and job; it goes with the job's row. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    ...sending(),
    /** The status that the address answered last; null where it was not reached. */
    status: integer("status"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("webhook_deliveries_due").on(table.dueAt).where(sql`${table.state} = 'waiting'`),
    index("webhook_deliveries_failed").on(table.id).where(sql`${table.state} = 'failed'`),
    index("webhook_deliveries_account").on(table.accountId, table.id),
    index("webhook_deliveries_job").on(table.jobId),
  ],
);
