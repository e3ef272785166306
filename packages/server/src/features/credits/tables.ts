import { operationNames, tierNames } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { bigserial, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { timestamptz } from "../../platform/db/columns.ts";

/** One row per holder: the sums of the ledger for the current day, the current month and all time. */
export const allowances = pgTable(
  "allowances",
  {
    holder: text("holder").primaryKey(),
    day: date("day").notNull(),
    dayUsed: integer("day_used").notNull(),
    month: text("month").notNull(),
    monthUsed: integer("month_used").notNull(),
    totalUsed: integer("total_used").notNull(),
    /** Reserved credits that are neither spent nor expired; part of the sums above. */
    reserved: integer("reserved").notNull(),
    /** How much of the use was paid by granted credits, less what an operator took away: this much is beyond the allowance. */
    dayGiven: integer("day_given").notNull().default(0),
    monthGiven: integer("month_given").notNull().default(0),
    totalGiven: integer("total_given").notNull().default(0),
  },
  (table) => [index("allowances_networks").on(table.day).where(sql`${table.holder} like 'network:%'`)],
);

/** The ledger is append-only: a row changes only to clear a file's name, and is deleted only with the person. */
export const creditEntries = pgTable(
  "credit_entries",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    holder: text("holder").notNull(),
    /** The holder's plan, or `guest`. Null in entries without a file, and in those older than the column. */
    tier: text("tier", { enum: tierNames }),
    /** The API key of the charge. It stays after the key is deleted. */
    keyId: text("key_id"),
    /** The network of a guest or a Hobby account, counted in the same way. */
    network: text("network"),
    /** The day whose counter it changed. A refund changes the day of the charge. */
    day: date("day").notNull(),
    at: timestamptz("at").notNull(),
    kind: text("kind", { enum: ["reserve", "lapse", "charge", "refund", "carry", "adjust"] }).notNull(),
    /** The change of the counter: 0 for a charge that spends a reservation. */
    credits: integer("credits").notNull(),
    /** The price of the file, and of its refund, however it was paid. */
    price: integer("price").notNull().default(1),
    /** The change of the counters' given part. */
    given: integer("given").notNull().default(0),
    /** Granted credits by the id of their grant: what each paid of the price, or what an operator added to it. Null where there are none. */
    grants: jsonb("grants").$type<Record<string, number>>(),
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
    // Entries are stored in the order of their days: a BRIN index suffices, and costs a charge nothing.
    index("credit_entries_days").using("brin", table.day).with({ autosummarize: true, pages_per_range: 32 }),
    // A file is charged once and refunded once, however often a caller retries.
    uniqueIndex("credit_entries_once").on(table.jobId, table.fileIndex, table.kind),
  ],
);

/** Credits that an operator granted. They are spent after the allowance, those that end first before the others. */
export const creditGrants = pgTable(
  "credit_grants",
  {
    id: text("id").primaryKey(),
    holder: text("holder").notNull(),
    credits: integer("credits").notNull(),
    /** How many are left. */
    open: integer("open").notNull(),
    /** Null: until they are spent. */
    endsAt: timestamptz("ends_at"),
    grantedAt: timestamptz("granted_at").notNull(),
  },
  (table) => [index("credit_grants_holder").on(table.holder)],
);

/**
 * The use of deleted accounts, by keyed hashes of the address and of the identity: signing up again before the window ends
 * does not refill the allowance. Without the key the hashes identify no one. Rows are deleted with the month.
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
    until: timestamptz("until").notNull(),
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
    /** The grant that its credits are from; null: from the allowance. */
    grantId: text("grant_id"),
    expiresAt: timestamptz("expires_at").notNull(),
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
    /** SHA-256 of the request: call, options, and each file's field, name and bytes. */
    fingerprint: text("fingerprint").notNull(),
    /** The latest job under the key. */
    jobId: text("job_id"),
    /** The job that was charged for it; null: `job_id`. */
    chargedJobId: text("charged_job_id"),
    response: jsonb("response"),
    replays: integer("replays").notNull().default(0),
    createdAt: timestamptz("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.key] }), index("idempotency_keys_age").on(table.createdAt)],
);
