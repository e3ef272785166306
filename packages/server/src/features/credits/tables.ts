import { operationNames, tierNames } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { bigserial, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { moment } from "../../platform/db/columns.ts";

/** One row a holder: what the ledger sums to in the present day, the present month and for good. */
export const allowances = pgTable(
  "allowances",
  {
    holder: text("holder").primaryKey(),
    day: date("day").notNull(),
    dayUsed: integer("day_used").notNull(),
    month: text("month").notNull(),
    monthUsed: integer("month_used").notNull(),
    totalUsed: integer("total_used").notNull(),
    /** Credits in reservations that are neither spent nor lapsed; part of the sums above. */
    reserved: integer("reserved").notNull(),
  },
  (table) => [index("allowances_networks").on(table.day).where(sql`${table.holder} like 'network:%'`)],
);

/** The ledger: rows are added, never changed but to forget a file's name, and never removed but with the person. */
export const creditEntries = pgTable(
  "credit_entries",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    holder: text("holder").notNull(),
    /** The plan that the holder had, or `guest`. Null of entries of no file, and of those before the column. */
    tier: text("tier", { enum: tierNames }),
    /** The API key that the charge came by. It stays after the key is gone. */
    keyId: text("key_id"),
    /** The guest's network, counted alike. */
    network: text("network"),
    /** The day whose counter it moved; a credit given back moves the day it was taken on. */
    day: date("day").notNull(),
    at: moment("at").notNull(),
    kind: text("kind", { enum: ["reserve", "lapse", "charge", "give-back", "carry", "adjust"] }).notNull(),
    /** The counter's change. A charge that spends a reservation moves nothing. */
    credits: integer("credits").notNull(),
    /** The credits that the file costs, and that come back of it, however they were paid. */
    price: integer("price").notNull().default(1),
    reservationId: text("reservation_id"),
    jobId: text("job_id"),
    fileIndex: integer("file_index"),
    operation: text("operation", { enum: operationNames }),
    fileName: text("file_name"),
    reason: text("reason"),
  },
  (table) => [
    index("credit_entries_holder").on(table.holder, table.id),
    index("credit_entries_day").on(table.holder, table.day),
    index("credit_entries_network").on(table.network, table.day).where(sql`${table.network} is not null`),
    // Entries lie in the order of their days: a summary of each range of pages suffices, and costs a charge nothing.
    index("credit_entries_days").using("brin", table.day).with({ autosummarize: true, pages_per_range: 32 }),
    // A file is charged once and its credit returned once, however often a caller asks.
    uniqueIndex("credit_entries_once").on(table.jobId, table.fileIndex, table.kind),
  ],
);

/**
 * The use of deleted accounts, by a keyed hash of the address and of the identity: signing up again before the window
 * ends does not refill the allowance. Names no person without the key, and goes with the month.
 */
export const keptCounters = pgTable(
  "kept_counters",
  {
    key: text("key").primaryKey(),
    day: date("day").notNull(),
    dayUsed: integer("day_used").notNull(),
    month: text("month").notNull(),
    monthUsed: integer("month_used").notNull(),
    /** The end of the window, after which it is deleted. */
    until: moment("until").notNull(),
  },
  (table) => [index("kept_counters_until").on(table.until)],
);

export const reservations = pgTable(
  "reservations",
  {
    id: text("id").primaryKey(),
    holder: text("holder").notNull(),
    network: text("network"),
    day: date("day").notNull(),
    open: integer("open").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("reservations_open").on(table.holder, table.expiresAt).where(sql`${table.open} > 0`),
    index("reservations_holder").on(table.holder),
  ],
);

export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    owner: text("owner").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of what was asked for: call, options, and each file's field, name and bytes. */
    fingerprint: text("fingerprint").notNull(),
    /** The job that was made last under the key. */
    jobId: text("job_id"),
    /** The job that was charged for it; null: `job_id`. */
    chargedJobId: text("charged_job_id"),
    answer: jsonb("answer"),
    replays: integer("replays").notNull().default(0),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.key] }), index("idempotency_keys_age").on(table.createdAt)],
);
