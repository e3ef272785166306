import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { sending, timestamptz } from "../../platform/db/columns.ts";
import { ofAccount } from "../accounts/tables.ts";
import { jobs } from "../jobs/tables.ts";

/** Addresses to which an account's job events are sent. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    /** Null: the row is for the `webhook_url` of single calls, and holds the version of the account's secret. */
    url: text("url"),
    /** Secrets are derived from it. */
    secretVersion: integer("secret_version").notNull().default(1),
    /** Until then deliveries are also signed with the previous version. */
    previousUntil: timestamptz("previous_until"),
    /** When the address responded 410. */
    disabledAt: timestamptz("disabled_at"),
    createdAt: timestamptz("created_at").notNull(),
  },
  (table) => [
    index("webhook_endpoints_account").on(table.accountId),
    uniqueIndex("webhook_endpoints_single").on(table.accountId).where(sql`${table.url} is null`),
  ],
);

/** One row per address and job, deleted with the job's row. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    ...sending(),
    /** The last response status; null if the address was not reached. */
    status: integer("status"),
    createdAt: timestamptz("created_at").notNull(),
  },
  (table) => [
    index("webhook_deliveries_due").on(table.dueAt).where(sql`${table.state} = 'waiting'`),
    index("webhook_deliveries_failed").on(table.id).where(sql`${table.state} = 'failed'`),
    index("webhook_deliveries_account").on(table.accountId, table.id),
    index("webhook_deliveries_job").on(table.jobId),
  ],
);
