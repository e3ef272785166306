import type { Note, Reason } from "@tintype/contract";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { sending, timestamptz, varbit } from "../../platform/db/columns.ts";

/** One row per request: its steps and its state. The row is authoritative, not a process's memory. */
export const jobs = pgTable(
  "jobs",
  {
    id: text("id").primaryKey(),
    owner: text("owner").notNull(),
    tier: text("tier").notNull(),
    operation: text("operation").notNull(),
    /** A list of `{ operation, options }`, run in order. */
    steps: jsonb("steps").notNull(),
    /** Blobs that every file uses: a list of `{ role, blob }`. */
    inputs: jsonb("inputs").notNull().default([]),
    state: text("state", { enum: ["queued", "running", "done", "failed", "cancelled"] }).notNull(),
    /** A connection waits for the answer. After a crash no caller could fetch it. */
    waited: boolean("waited").notNull(),
    /** The API process whose death ends the job: it holds the connection, or the job is free and never resumed. */
    process: text("process"),
    /** Credits charged for this job; in the end those of the files that succeeded. */
    charged: integer("charged").notNull(),
    /** A repeat of a request that was charged before, under another job. */
    replay: boolean("replay").notNull(),
    /** For a repeat: the job whose ledger entries pay for it. */
    chargeJobId: text("charge_job_id"),
    /** Incremented with each change of state. Event ids are made from it. */
    version: integer("version").notNull().default(0),
    /** Files that wait or are in work. The worker that finishes the last one settles the job. */
    filesLeft: integer("files_left").notNull().default(0),
    /** Files that are done or unchanged. */
    filesGood: integer("files_good").notNull().default(0),
    createdAt: timestamptz("created_at").notNull(),
    finishedAt: timestamptz("finished_at"),
    /** When its pictures were removed from the blob store. */
    removedAt: timestamptz("removed_at"),
    /** The request that created it, for the workers' logs. */
    requestId: text("request_id"),
    /** The parent of its files' spans (W3C Trace Context), if tracing is on. */
    traceparent: text("traceparent"),
  },
  (table) => [
    index("jobs_kept").on(table.finishedAt).where(sql`${table.removedAt} is null`),
    index("jobs_removed").on(table.finishedAt).where(sql`${table.removedAt} is not null`),
    index("jobs_open").on(table.state, table.id).where(sql`${table.state} in ('queued', 'running')`),
    index("jobs_owner").on(table.owner, table.id),
    index("jobs_request").on(table.requestId).where(sql`${table.requestId} is not null`),
    index("jobs_charge").on(table.chargeJobId).where(sql`${table.chargeJobId} is not null`),
    index("jobs_process").on(table.process).where(sql`${table.process} is not null and ${table.removedAt} is null`),
  ],
);

/** One row per file of a job. */
export const jobFiles = pgTable(
  "job_files",
  {
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    fileIndex: integer("file_index").notNull(),
    /** Whose queue it waits in: its owner's, or the network's for guests and free tasks. */
    queueKey: text("queue_key").notNull(),
    /** Set for callers without a paid plan: a keyed hash of their network, whose files share its engines and free work. */
    network: text("network"),
    class: text("class", { enum: ["picture", "model"] }).notNull(),
    lane: text("lane", { enum: ["fast", "normal"] }).notNull(),
    /** The smallest is next. */
    priority: integer("priority").notNull(),
    state: text("state", { enum: ["waiting", "working", "done", "unchanged", "failed", "cancelled"] }).notNull(),
    /** Times a worker claimed it. */
    tries: integer("tries").notNull().default(0),
    /** Times it was stopped because others waited, see `yieldFile`. */
    yields: integer("yields").notNull().default(0),
    /** Engine time so far, ms. */
    engineMs: integer("engine_ms").notNull().default(0),
    /** The process that works on it, or did last. */
    worker: text("worker"),
    /** By the database's clock. */
    waitingSince: timestamptz("waiting_since").notNull().defaultNow(),
    offeredAt: timestamptz("offered_at").notNull().defaultNow(),
    name: text("name").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    format: text("format"),
    input: text("input").notNull(),
    output: text("output"),
    progress: doublePrecision("progress").notNull().default(0),
    stage: text("stage"),
    source: jsonb("source"),
    result: jsonb("result"),
    notes: jsonb("notes").$type<(Note | string)[]>().notNull().default([]),
    confidence: doublePrecision("confidence"),
    reason: jsonb("reason").$type<Reason | string>(),
    code: text("code"),
    /** For a file that cannot meet its byte limit: the smallest size reached. */
    smallestBytes: integer("smallest_bytes"),
    /** For a file that continues a result for free: the charged file that pays for it. */
    chainJobId: text("chain_job_id"),
    chainIndex: integer("chain_index"),
    delivery: text("delivery", { enum: ["none", "sending", "begun", "whole"] })
      .notNull()
      .default("none"),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.fileIndex] }),
    index("job_files_priority")
      .on(table.state, table.class, table.lane, table.priority)
      .where(sql`${table.state} in ('waiting', 'working')`),
    index("job_files_failed").on(table.code, table.jobId).where(sql`${table.state} = 'failed'`),
    index("job_files_failed_job").on(table.jobId).where(sql`${table.state} = 'failed'`),
    index("job_files_queue")
      .on(table.queueKey, table.class, table.lane, table.priority)
      .where(sql`${table.state} in ('waiting', 'working')`),
  ],
);

/** The receipts of jobs whose rows are deleted, without pictures or names. */
export const receipts = pgTable(
  "receipts",
  {
    jobId: text("job_id").primaryKey(),
    owner: text("owner").notNull(),
    body: jsonb("body").notNull(),
    finishedAt: timestamptz("finished_at").notNull(),
  },
  (table) => [index("receipts_owner").on(table.owner), index("receipts_age").on(table.finishedAt)],
);

/** Where a job's whole result is sent once the job has ended. The address may contain a signature, so it is deleted at the end. */
export const jobOutputs = pgTable(
  "job_outputs",
  {
    jobId: text("job_id")
      .primaryKey()
      .references(() => jobs.id, { onDelete: "cascade" }),
    ...sending(),
  },
  (table) => [
    index("job_outputs_due").on(table.dueAt).where(sql`${table.state} = 'waiting'`),
    index("job_outputs_failed").on(table.jobId).where(sql`${table.state} = 'failed'`),
  ],
);

/** The prefixes in use in the blob store. Inserted before the first byte, deleted after the last blob is removed. */
export const jobBlobs = pgTable(
  "job_blobs",
  {
    jobId: text("job_id").primaryKey(),
    /** The process that receives the upload; null once the job has started. */
    uploader: text("uploader"),
    network: text("network").notNull(),
    /** Whose storage quota its bytes count against: the caller's, or a guest's network's. */
    holder: text("holder").notNull().default(""),
    /** The bytes received of an upload, in steps, and those stored. */
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** Null while the job is in work. */
    deleteAfter: timestamptz("delete_after"),
    /** A removal is in progress. After this moment it counts as failed. */
    removingUntil: timestamptz("removing_until"),
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
  /** Classes of work that it consumes, comma-separated. */
  classes: text("classes").notNull(),
  pictureEngines: integer("picture_engines").notNull().default(0),
  modelEngines: integer("model_engines").notNull().default(0),
  leaseUntil: timestamptz("lease_until").notNull(),
  /** Hashes of the secrets that it accepts, comma-separated. */
  secrets: text("secrets"),
  /** The id of the store of its pictures. */
  blobs: text("blobs"),
});

/** Networks whose guests and free accounts an operator blocks until a given time. */
export const blockedNetworks = pgTable("blocked_networks", {
  /** A keyed hash of the network, or of an IPv6 prefix that contains it: platform/network.ts. */
  key: text("key").primaryKey(),
  until: timestamptz("until").notNull(),
});

/** Unpaid engine time by caller and by network, in a window that starts with the first use. */
export const freeEngineUse = pgTable(
  "free_engine_use",
  {
    key: text("key").primaryKey(),
    since: timestamptz("since").notNull(),
    engineMs: bigint("engine_ms", { mode: "number" }).notNull(),
  },
  (table) => [index("free_engine_use_age").on(table.since)],
);

/** What one charged file pays for: steps on its results, see `limits/result-chains.ts`. */
export const resultChains = pgTable(
  "result_chains",
  {
    jobId: text("job_id").notNull(),
    fileIndex: integer("file_index").notNull(),
    owner: text("owner").notNull(),
    /** Steps so far, including those of the charged job. */
    steps: integer("steps").notNull(),
    /** When its latest result can no longer be continued. */
    until: timestamptz("until").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.fileIndex] }),
    index("result_chains_owner").on(table.owner, table.until),
    index("result_chains_age").on(table.until),
  ],
);

/** Results that can be continued, by a keyed hash of their owner and bytes. */
export const resultDigests = pgTable(
  "result_digests",
  {
    digest: text("digest").primaryKey(),
    jobId: text("job_id").notNull(),
    fileIndex: integer("file_index").notNull(),
    until: timestamptz("until").notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.jobId, table.fileIndex],
      foreignColumns: [resultChains.jobId, resultChains.fileIndex],
      name: "result_digests_chain",
    }).onDelete("cascade"),
    index("result_digests_chain_file").on(table.jobId, table.fileIndex),
    index("result_digests_age").on(table.until),
  ],
);

/** The parts of a picture that previews have shown to a caller or a network, for a day from the first. */
export const previewParts = pgTable(
  "preview_parts",
  {
    key: text("key").notNull(),
    /** A hash of the file, the page, and the number of cells. */
    picture: text("picture").notNull(),
    /** Cells of a grid over the picture: 1 for those that were shown. */
    cells: varbit("cells").notNull(),
    since: timestamptz("since").notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.picture] }), index("preview_parts_age").on(table.since)],
);
