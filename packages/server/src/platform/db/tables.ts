// Every table in one file: migrations are made from it, and a reader sees the whole database at once.
import {
  billingCycles,
  currencies,
  keyModes,
  keyScopes,
  operationNames,
  paidPlanNames,
  transactionStatuses,
} from "@tintype/contract";
import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";

// The whole data model. After a change: npm run migrations -w @tintype/server.
// A holder is whoever credits are counted for: person:{account id}, guest:{cookie id} or network:{keyed hash}.

const moment = (name: string) => timestamp(name, { withTimezone: true });

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

/** API keys, by their hash: whoever reads the table cannot call with one. */
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

/** Recipes that people keep: steps as they write them. */
export const recipes = pgTable(
  "recipes",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    steps: jsonb("steps").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [uniqueIndex("recipes_name").on(table.accountId, sql`lower(${table.name})`)],
);

/** One row a holder: what the ledger sums to in the present day, the present month and for good. */
export const allowances = pgTable("allowances", {
  holder: text("holder").primaryKey(),
  day: date("day").notNull(),
  dayUsed: integer("day_used").notNull(),
  month: text("month").notNull(),
  monthUsed: integer("month_used").notNull(),
  totalUsed: integer("total_used").notNull(),
  /** Credits in reservations that are neither spent nor lapsed; part of the sums above. */
  reserved: integer("reserved").notNull(),
});

/** The ledger: rows are added, never changed but to forget a file's name, and never removed but with the person. */
export const creditEntries = pgTable(
  "credit_entries",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    holder: text("holder").notNull(),
    /** The guest's network, counted alike. */
    network: text("network"),
    /** The day whose counter it moved; a credit given back moves the day it was taken on. */
    day: date("day").notNull(),
    at: moment("at").notNull(),
    kind: text("kind", { enum: ["reserve", "lapse", "charge", "give-back", "carry"] }).notNull(),
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
    index("credit_entries_network").on(table.network).where(sql`${table.network} is not null`),
    // A file is charged once and its credit returned once, whoever asks how often.
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
  (table) => [index("reservations_open").on(table.holder, table.expiresAt).where(sql`${table.open} > 0`)],
);

/** One row a request: what is done to its files, and how far it has come. The row is the truth, whatever a process remembers. */
export const jobs = pgTable(
  "jobs",
  {
    id: text("id").primaryKey(),
    owner: text("owner").notNull(),
    tier: text("tier").notNull(),
    operation: text("operation").notNull(),
    /** A list of `{ operation, options }`, done one after the other. Null: the previous release made the job. */
    steps: jsonb("steps"),
    /** Blobs that go with every file: a list of `{ role, blob }`. */
    inputs: jsonb("inputs").notNull().default([]),
    state: text("state", { enum: ["queued", "running", "done", "failed", "cancelled"] }).notNull(),
    /** A connection waits for the answer: after a crash no caller would ask for it again. */
    waited: boolean("waited").notNull(),
    /** The API process without which the job ends: it holds the connection, or the job is free and never resumed. */
    process: text("process"),
    fast: boolean("fast").notNull(),
    /** Credits that stand for this job, in the end those of the files that succeeded. */
    charged: integer("charged").notNull(),
    /** A repeat of a request that was charged before: its credits stand elsewhere. */
    replay: boolean("replay").notNull(),
    /** Grows with each change of state; ids of events are made of it. */
    version: integer("version").notNull().default(0),
    /** Files that wait or are in work: whoever finishes the last one settles the job. */
    filesLeft: integer("files_left").notNull().default(0),
    /** Files that are done or unchanged. */
    filesGood: integer("files_good").notNull().default(0),
    createdAt: moment("created_at").notNull(),
    finishedAt: moment("finished_at"),
    /** Its pictures are gone from the blobs. */
    removedAt: moment("removed_at"),
    // The previous release writes and reads the rest. A later release drops these columns.
    options: jsonb("options").notNull().default({}),
    files: jsonb("files").notNull().default([]),
    runner: text("runner").notNull().default(""),
    leaseUntil: moment("lease_until").notNull().default(sql`'9999-12-31'`),
    attempt: integer("attempt").notNull().default(1),
  },
  (table) => [
    index("jobs_unfinished").on(table.runner).where(sql`${table.state} in ('queued', 'running')`),
    index("jobs_kept").on(table.finishedAt).where(sql`${table.removedAt} is null`),
    index("jobs_earlier_release").on(table.id).where(sql`${table.steps} is null`),
    index("jobs_owner").on(table.owner, table.id),
    index("jobs_process").on(table.process).where(sql`${table.process} is not null and ${table.removedAt} is null`),
  ],
);

/** One row a file of a job. */
export const jobFiles = pgTable(
  "job_files",
  {
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    fileIndex: integer("file_index").notNull(),
    /** In whose line it stands: its owner's, or the network's for guests and free tasks. */
    line: text("line").notNull(),
    class: text("class", { enum: ["picture", "model"] }).notNull(),
    lane: text("lane", { enum: ["fast", "normal"] }).notNull(),
    /** Its place: the smallest goes first. */
    tag: integer("tag").notNull(),
    state: text("state", { enum: ["waiting", "working", "done", "unchanged", "failed", "cancelled"] }).notNull(),
    /** Times a worker took it up. */
    tries: integer("tries").notNull().default(0),
    /** The process that works on it, or did. */
    worker: text("worker"),
    /** By the database's clock. */
    waitingSince: moment("waiting_since").notNull().defaultNow(),
    offeredAt: moment("offered_at").notNull().defaultNow(),
    name: text("name").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    format: text("format"),
    input: text("input").notNull(),
    output: text("output"),
    progress: doublePrecision("progress").notNull().default(0),
    stage: text("stage"),
    source: jsonb("source"),
    result: jsonb("result"),
    notes: jsonb("notes").notNull().default([]),
    confidence: doublePrecision("confidence"),
    reason: text("reason"),
    code: text("code"),
    /** Of a file that did not fit the wanted bytes: the least that was reached. */
    smallestBytes: integer("smallest_bytes"),
    delivery: text("delivery", { enum: ["none", "begun", "whole"] })
      .notNull()
      .default("none"),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.fileIndex] }),
    index("job_files_turn")
      .on(table.state, table.class, table.lane, table.tag)
      .where(sql`${table.state} in ('waiting', 'working')`),
    index("job_files_line")
      .on(table.line, table.class, table.lane, table.tag)
      .where(sql`${table.state} in ('waiting', 'working')`),
  ],
);

/** The receipts of jobs whose rows are gone; no picture and no name. */
export const receipts = pgTable(
  "receipts",
  {
    jobId: text("job_id").primaryKey(),
    owner: text("owner").notNull(),
    body: jsonb("body").notNull(),
    finishedAt: moment("finished_at").notNull(),
  },
  (table) => [index("receipts_owner").on(table.owner), index("receipts_age").on(table.finishedAt)],
);

/** The address that gets a job's whole result once the job has ended. The address may carry a signature: it is forgotten in the end. */
export const jobOutputs = pgTable(
  "job_outputs",
  {
    jobId: text("job_id")
      .primaryKey()
      .references(() => jobs.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    state: text("state", { enum: ["waiting", "sent", "failed"] })
      .notNull()
      .default("waiting"),
    tries: integer("tries").notNull().default(0),
    /** When it is tried next; while it is being sent, when others may take it over. Null in the end. */
    dueAt: moment("due_at"),
  },
  (table) => [index("job_outputs_due").on(table.dueAt).where(sql`${table.state} = 'waiting'`)],
);

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
    url: text("url").notNull(),
    state: text("state", { enum: ["waiting", "sent", "failed"] })
      .notNull()
      .default("waiting"),
    tries: integer("tries").notNull().default(0),
    /** The status that the address answered last; null where it was not reached. */
    status: integer("status"),
    /** When it is tried next; while it is being sent, when others may take it over. Null in the end. */
    dueAt: moment("due_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("webhook_deliveries_due").on(table.dueAt).where(sql`${table.state} = 'waiting'`),
    index("webhook_deliveries_account").on(table.accountId, table.id),
    index("webhook_deliveries_job").on(table.jobId),
  ],
);

/** The prefixes in use in the blobs. Written before the first byte, forgotten after the last was removed. */
export const jobBlobs = pgTable(
  "job_blobs",
  {
    jobId: text("job_id").primaryKey(),
    /** The process that takes the upload in; null once the job has begun. */
    uploader: text("uploader"),
    network: text("network").notNull(),
    /** As announced, and as counted once the upload is in. */
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** Null while the job is worked on. */
    deleteAfter: moment("delete_after"),
    /** A removal is under way, and taken for failed after this moment. */
    removingUntil: moment("removing_until"),
  },
  (table) => [
    index("job_blobs_due").on(table.deleteAfter).where(sql`${table.deleteAfter} is not null`),
    index("job_blobs_uploads").on(table.network).where(sql`${table.uploader} is not null`),
  ],
);

/** Processes that are alive until `lease_until`, by the database's clock. */
export const processes = pgTable("processes", {
  id: text("id").primaryKey(),
  role: text("role", { enum: ["all", "api", "worker"] }).notNull(),
  /** Classes of work that it takes, with commas. */
  classes: text("classes").notNull(),
  leaseUntil: moment("lease_until").notNull(),
});

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

/**
 * A sale of a plan, from the checkout on: what the gateway said of it last, what was paid, and why it ends.
 * features/billing/README.md has what the states mean; `state` follows from the other columns.
 */
export const subscriptions = pgTable(
  "subscriptions",
  {
    id: text("id").primaryKey(),
    /** Null once the account is deleted. */
    accountId: text("account_id"),
    /** Null until the gateway has made it. */
    gatewayId: text("gateway_id").unique(),
    /** Its plan at the gateway; our price may have changed since. */
    gatewayPlanId: text("gateway_plan_id").notNull(),
    plan: text("plan", { enum: paidPlanNames }).notNull(),
    cycle: text("cycle", { enum: billingCycles }).notNull(),
    currency: text("currency", { enum: currencies }).notNull(),
    amountMinor: integer("amount_minor").notNull(),
    state: text("state", { enum: ["open", "scheduled", "active", "past_due", "halted", "ended"] }).notNull(),
    /** When it begins and is first charged; null: at the checkout. */
    startsAt: moment("starts_at"),
    /** The subscription whose place it takes as soon as it is paid. */
    replaces: text("replaces"),
    paidThrough: moment("paid_through"),
    gatewayStatus: text("gateway_status").notNull(),
    seenAt: moment("seen_at"),
    stopReason: text("stop_reason", { enum: ["cancelled", "replaced", "abandoned", "duplicate", "deleted"] }),
    stoppedAt: moment("stopped_at"),
    stopEndsBy: moment("stop_ends_by"),
    /** From then on its paid days are unused, and their price goes back. */
    stopRefundsFrom: moment("stop_refunds_from"),
    /** How far the gateway has been told of the stop. */
    told: text("told", { enum: ["none", "at-end", "now"] }).notNull(),
    createdAt: moment("created_at").notNull(),
    /** Until when the checkout can be paid. */
    expiresAt: moment("expires_at").notNull(),
    /** When to look at it again; null: never. */
    wakeAt: moment("wake_at"),
    /** Attempts in a row at which the gateway did not answer. */
    misses: integer("misses").notNull().default(0),
    /** A process is making it at the gateway, and no other may until then. */
    claimedUntil: moment("claimed_until"),
  },
  (table) => [
    index("subscriptions_account").on(table.accountId),
    index("subscriptions_wake").on(table.wakeAt).where(sql`${table.wakeAt} is not null`),
    // Two tabs that ask at once get the same one.
    uniqueIndex("subscriptions_open")
      .on(table.accountId, table.plan, table.cycle)
      .where(sql`${table.state} = 'open' and ${table.accountId} is not null`),
  ],
);

/** Attempts to take money, by the gateway's id. They outlive the account, without the name. */
export const payments = pgTable(
  "payments",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id"),
    subscriptionId: text("subscription_id").notNull(),
    plan: text("plan", { enum: paidPlanNames }).notNull(),
    cycle: text("cycle", { enum: billingCycles }).notNull(),
    amountMinor: integer("amount_minor").notNull(),
    currency: text("currency", { enum: currencies }).notNull(),
    status: text("status", { enum: transactionStatuses }).notNull(),
    at: moment("at").notNull(),
    /** The period it pays for. */
    coversFrom: moment("covers_from"),
    coversUntil: moment("covers_until"),
    /** Money that came for nothing goes back, and the price of days that are not used any more. */
    refund: text("refund", { enum: ["none", "wanted", "done"] }).notNull(),
    /** How much of it; null: nothing, or (before there were parts) all of it. */
    refundMinor: integer("refund_minor"),
    refundTries: integer("refund_tries").notNull().default(0),
    refundDueAt: moment("refund_due_at"),
  },
  (table) => [
    index("payments_account").on(table.accountId, table.at, table.id),
    index("payments_subscription").on(table.subscriptionId),
    index("payments_refund").on(table.refundDueAt).where(sql`${table.refund} = 'wanted'`),
  ],
);

/** The gateway's webhooks, each event once. */
export const gatewayEvents = pgTable(
  "gateway_events",
  {
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    gatewayId: text("gateway_id"),
    paymentId: text("payment_id"),
    receivedAt: moment("received_at").notNull(),
    /** Null once it is dealt with. */
    dueAt: moment("due_at"),
    tries: integer("tries").notNull().default(0),
  },
  (table) => [
    index("gateway_events_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("gateway_events_age").on(table.receivedAt),
  ],
);

/** Changes of plans and movements of money, and attempts. Names persons by the account's id only. */
export const auditLines = pgTable(
  "audit_lines",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    at: moment("at").notNull(),
    accountId: text("account_id"),
    subscriptionId: text("subscription_id"),
    kind: text("kind").notNull(),
    detail: jsonb("detail").notNull(),
  },
  (table) => [index("audit_lines_account").on(table.accountId), index("audit_lines_kind").on(table.kind, table.at)],
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
  (table) => [index("outbox_mails_due").on(table.dueAt).where(sql`${table.dueAt} is not null`)],
);

/** A hash of who deleted their account: a token from before does not bring it back to life. */
export const deletedIdentities = pgTable("deleted_identities", {
  key: text("key").primaryKey(),
  at: moment("at").notNull(),
});

/** The payment sandbox's own books: plans, subscriptions, invoices, payments and webhooks to be sent. */
export const sandboxRecords = pgTable(
  "sandbox_records",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["subscription", "invoice", "payment", "refund", "webhook"] }).notNull(),
    /** The subscription an invoice, a payment or a webhook belongs to. */
    parent: text("parent"),
    createdAt: moment("created_at").notNull(),
    /** When time alone changes it next. */
    dueAt: moment("due_at"),
    body: jsonb("body").notNull(),
  },
  (table) => [
    index("sandbox_records_parent").on(table.parent, table.kind),
    index("sandbox_records_due").on(table.kind, table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
);

// The built-in identity provider's own tables (better-auth names their columns).

export const idpUser = pgTable("idp_user", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});
const idpUserId = () =>
  text("user_id")
    .notNull()
    .references(() => idpUser.id, { onDelete: "cascade" });
export const idpSession = pgTable("idp_session", {
  id: text("id").primaryKey(),
  expiresAt: moment("expires_at").notNull(),
  token: text("token").notNull().unique(),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  userId: idpUserId(),
});
export const idpAccount = pgTable("idp_account", {
  id: text("id").primaryKey(),
  accountId: text("account_id").notNull(),
  providerId: text("provider_id").notNull(),
  userId: idpUserId(),
  accessToken: text("access_token"),
  refreshToken: text("refresh_token"),
  idToken: text("id_token"),
  accessTokenExpiresAt: moment("access_token_expires_at"),
  refreshTokenExpiresAt: moment("refresh_token_expires_at"),
  scope: text("scope"),
  password: text("password"),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});
export const idpVerification = pgTable("idp_verification", {
  id: text("id").primaryKey(),
  identifier: text("identifier").notNull(),
  value: text("value").notNull(),
  expiresAt: moment("expires_at").notNull(),
  createdAt: moment("created_at"),
  updatedAt: moment("updated_at"),
});
export const idpJwks = pgTable("idp_jwks", {
  id: text("id").primaryKey(),
  publicKey: text("public_key").notNull(),
  privateKey: text("private_key").notNull(),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at"),
  alg: text("alg"),
  crv: text("crv"),
});
