import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { moment, sending } from "../../platform/db/columns.ts";

/** One row a request: what is done to its files, and how far it has come. The row is the truth, whatever a process remembers. */
export const jobs = pgTable(
  "jobs",
  {
    id: text("id").primaryKey(),
    owner: text("owner").notNull(),
    tier: text("tier").notNull(),
    operation: text("operation").notNull(),
    /** A list of `{ operation, options }`, done one after the other. */
    steps: jsonb("steps").notNull(),
    /** Blobs that go with every file: a list of `{ role, blob }`. */
    inputs: jsonb("inputs").notNull().default([]),
    state: text("state", { enum: ["queued", "running", "done", "failed", "cancelled"] }).notNull(),
    /** A connection waits for the answer: after a crash no caller would ask for it again. */
    waited: boolean("waited").notNull(),
    /** The API process without which the job ends: it holds the connection, or the job is free and never resumed. */
    process: text("process"),
    /** Credits that stand for this job, in the end those of the files that succeeded. */
    charged: integer("charged").notNull(),
    /** A repeat of a request that was charged before: its credits stand elsewhere. */
    replay: boolean("replay").notNull(),
    /** Of a repeat: the job whose entries in the ledger pay for it. */
    chargeJobId: text("charge_job_id"),
    /** Grows with each change of state; ids of events are made of it. */
    version: integer("version").notNull().default(0),
    /** Files that wait or are in work: the worker that finishes the last one settles the job. */
    filesLeft: integer("files_left").notNull().default(0),
    /** Files that are done or unchanged. */
    filesGood: integer("files_good").notNull().default(0),
    createdAt: moment("created_at").notNull(),
    finishedAt: moment("finished_at"),
    /** Its pictures are gone from the blobs. */
    removedAt: moment("removed_at"),
    /** The request that made it: workers log it. Null of jobs of a release before it. */
    requestId: text("request_id"),
    /** The span that its files' spans belong to (W3C Trace Context), where traces are on. */
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

/** One row a file of a job. */
export const jobFiles = pgTable(
  "job_files",
  {
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    fileIndex: integer("file_index").notNull(),
    /** Whose queue it waits in: its owner's, or the network's for guests and free tasks. */
    queueKey: text("line").notNull(),
    /** Of callers without a paid plan: a keyed hash of their network, whose files share its engines and its free work. */
    network: text("network"),
    class: text("class", { enum: ["picture", "model"] }).notNull(),
    lane: text("lane", { enum: ["fast", "normal"] }).notNull(),
    /** The smallest goes first. */
    priority: integer("tag").notNull(),
    state: text("state", { enum: ["waiting", "working", "done", "unchanged", "failed", "cancelled"] }).notNull(),
    /** Times a worker took it up. */
    tries: integer("tries").notNull().default(0),
    /** Times it was stopped since others waited, see `yieldFile`. */
    yields: integer("yields").notNull().default(0),
    /** Time of engines that it has taken so far. */
    engineMs: integer("engine_ms").notNull().default(0),
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
      .on(table.state, table.class, table.lane, table.priority)
      .where(sql`${table.state} in ('waiting', 'working')`),
    index("job_files_failed").on(table.code, table.jobId).where(sql`${table.state} = 'failed'`),
    index("job_files_failed_job").on(table.jobId).where(sql`${table.state} = 'failed'`),
    index("job_files_line")
      .on(table.queueKey, table.class, table.lane, table.priority)
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
    ...sending(),
  },
  (table) => [
    index("job_outputs_due").on(table.dueAt).where(sql`${table.state} = 'waiting'`),
    index("job_outputs_failed").on(table.jobId).where(sql`${table.state} = 'failed'`),
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
    /** The caller whose share of the room its bytes count for; a guest's network. */
    holder: text("holder").notNull().default(""),
    /** What has arrived of an upload, in steps, and what is stored. */
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
  pictureEngines: integer("picture_engines").notNull().default(0),
  modelEngines: integer("model_engines").notNull().default(0),
  leaseUntil: moment("lease_until").notNull(),
});

/** Networks from which an operator refuses the work of guests and free accounts until a moment. */
export const blockedNetworks = pgTable("blocked_networks", {
  /** A keyed hash, or those of the blocks of IPv6 around it: platform/network.ts. */
  key: text("key").primaryKey(),
  until: moment("until").notNull(),
});

/** Time of engines that brought no credit, by caller and by network, in a window that begins with the first use. */
export const freeEngineUse = pgTable(
  "free_engine_use",
  {
    key: text("key").primaryKey(),
    since: moment("since").notNull(),
    engineMs: bigint("engine_ms", { mode: "number" }).notNull(),
  },
  (table) => [index("free_engine_use_age").on(table.since)],
);
