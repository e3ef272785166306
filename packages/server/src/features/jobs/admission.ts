import { DomainError, guestCreditsPerNetworkDay, type Limits, limits as limitsOfTiers } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import { type Database, rowsOf } from "../../platform/db/database.ts";
import type { FreeWorkLimits } from "./free-work.ts";
import type { QueueLimits } from "./store.ts";

/** Limits on unfinished files, concurrent uploads and stored bytes. */
export type Bounds = {
  /** Files that wait or are in work, across all callers. */
  queueFiles: number;
  /** The same, per caller. */
  callerFiles: number;
  /** The same, for all guests and free tasks of one network. */
  networkFiles: number;
  /** Concurrent uploads per network. */
  networkUploads: number;
  /** Stored bytes, across all callers. */
  spoolBytes: number;
  freeWork: FreeWorkLimits;
};

/** Guests and free tasks of a network share one queue: a new guest cookie costs nothing. */
export type JobQueue = { key: string; isShared: boolean };
export const queueLimits = (bounds: Bounds, { isShared }: JobQueue): QueueLimits => ({
  all: bounds.queueFiles,
  queue: isShared ? bounds.networkFiles : bounds.callerFiles,
});

export const full = () => new DomainError("full", { retryAfterSeconds: 5 });
export const queueFull = ({ isShared }: JobQueue) =>
  new DomainError("too-many-requests", {
    detail: isShared
      ? "Too many images from your network are waiting. Please wait until some are done."
      : "Too many of your images are waiting. Please wait until some are done.",
    retryAfterSeconds: 5,
  });

const spoolFull = () =>
  new DomainError("full", {
    detail: "The server is at capacity. Please try again shortly.",
    retryAfterSeconds: 10,
  });

/** An unfinished upload is deleted after this time. It is longer than the server's upload timeout. */
const uploadMs = 40 * 60_000;

export type Upload = {
  jobId: string;
  queue: JobQueue;
  network: string;
  /** Whose storage quota the bytes count against: a person's, or a guest's network's. */
  holder: string;
  limits: Limits;
  announcedBytes: number | undefined;
};

/** An upload reserves storage in steps of this size while it arrives: announcing bytes costs the sender nothing. */
export const arrivalBytes = 8e6;
/** Full batches that one person may store at a time: one in work, one being uploaded. */
const heldBatches = 2;
/** Guests share a quota per network, as they share credits. */
const heldGuestBatches = () => guestCreditsPerNetworkDay / limitsOfTiers.guest.credits;

const batchBytes = ({ filesPerBatch, megabytesPerFile }: Limits) => filesPerBatch * megabytesPerFile * 1e6;
/** The storage quota of one holder, in bytes. */
const holderBytes = (limits: Limits): number =>
  batchBytes(limits) * (limits === limitsOfTiers.guest ? heldGuestBatches() : heldBatches);

const holderFull = () =>
  new DomainError("too-many-requests", {
    detail: "Your images use all the storage of your plan. Please wait until some are done.",
    retryAfterSeconds: 10,
  });

/**
 * Inserts the row that names an upload's prefix before its first byte, if everything it announces would fit. Only one step
 * is reserved: bytes that are announced and never sent take no storage from others.
 * @throws full when too many files wait or too many bytes are stored; too-many-requests for one caller or network
 */
export async function admitUpload(
  { db, clock, bounds, process }: { db: Database; clock: Clock; bounds: Bounds; process: string },
  { jobId, queue, network, holder, limits, announcedBytes }: Upload,
): Promise<void> {
  const announced = Math.min(announcedBytes ?? arrivalBytes, batchBytes(limits));
  const maxBytes = holderBytes(limits);
  const queueLimit = queueLimits(bounds, queue);
  const [room] = await rowsOf<{
    total: number;
    queued: number;
    uploads: number;
    bytes: number;
    held: number;
    admitted: boolean;
  }>(
    db.execute(sql`
      with room as (select
          (select count(*)::int from job_files where state in ('waiting', 'working')) as total,
          (select count(*)::int from job_files where line = ${queue.key} and state in ('waiting', 'working')) as queued,
          (select count(*)::int from job_blobs where network = ${network} and uploader is not null) as uploads,
          (select coalesce(sum(bytes), 0)::float8 from job_blobs) as bytes,
          (select coalesce(sum(bytes), 0)::float8 from job_blobs where holder = ${holder}) as held),
      admitted as (
        insert into job_blobs (job_id, uploader, network, holder, bytes, delete_after)
        select ${jobId}, ${process}, ${network}, ${holder}, ${Math.min(announced, arrivalBytes)}::bigint,
          ${new Date(clock.now().getTime() + uploadMs).toISOString()}::timestamptz
        from room where total < ${queueLimit.all}::int and queued < ${queueLimit.queue}::int
          and uploads < ${bounds.networkUploads}::int and held + ${announced}::float8 <= ${maxBytes}::float8
          and bytes + ${announced}::float8 <= ${bounds.spoolBytes}::float8
        returning 1)
      select room.*, exists (select 1 from admitted) as admitted from room`),
  );
  if (!room || room.admitted) return;
  if (room.total >= queueLimit.all) throw full();
  if (room.queued >= queueLimit.queue) throw queueFull(queue);
  if (room.uploads >= bounds.networkUploads)
    throw new DomainError("too-many-requests", {
      detail: "Too many uploads are coming from your network at once. Please wait until some are done.",
      retryAfterSeconds: 5,
    });
  throw room.held + announced > maxBytes ? holderFull() : spoolFull();
}

/** A result that exceeds its input by no more than this is not counted: counting costs a statement. */
export const uncountedBytes = 1e6;

/**
 * Reserves storage for a result. The engine has already written it, so the disk may exceed the limit by one result per engine.
 * @throws full
 */
export async function admitResult(
  { db, spoolBytes }: { db: Database; spoolBytes: number },
  { jobId, bytes }: { jobId: string; bytes: number },
): Promise<void> {
  if (!(await grow(db, sql`b.job_id = ${jobId}`, { bytes, spoolBytes }))) throw spoolFull();
}

/** Adds bytes to a row of `job_blobs`. Returns false when they do not fit or the row is missing. */
async function grow(
  db: Database,
  row: SQL,
  { bytes, spoolBytes, maxBytes }: { bytes: number; spoolBytes: number; maxBytes?: number },
) {
  const isWithin = maxBytes === undefined ? sql`true` : sql`${heldBeside} + ${bytes}::float8 <= ${maxBytes}::float8`;
  const rows = await rowsOf(
    db.execute(sql`
      update job_blobs b set bytes = bytes + ${bytes}::bigint
      where ${row} and ${isWithin} and (select coalesce(sum(bytes), 0)::float8 from job_blobs) + ${bytes}::float8 <= ${spoolBytes}::float8
      returning 1`),
  );
  return rows.length > 0;
}

/** The stored bytes of the holder of row `b`. */
const heldBeside = sql`(select coalesce(sum(h.bytes), 0)::float8 from job_blobs h where h.holder = b.holder)`;

/** True until a job has started on the upload under this prefix. */
export async function isUpload(db: Database, jobId: string): Promise<boolean> {
  const rows = await rowsOf(db.execute(sql`select 1 from job_blobs where job_id = ${jobId} and uploader is not null`));
  return rows.length > 0;
}

/** Abandons an upload: the sweep removes its bytes, and it no longer counts against its network's concurrent uploads. */
export async function dropUpload(db: Database, { jobId, now }: { jobId: string; now: Date }): Promise<void> {
  await db.execute(sql`
    update job_blobs set uploader = null, delete_after = ${now.toISOString()}::timestamptz
    where job_id = ${jobId} and uploader is not null`);
}

/**
 * Reserves storage for further bytes of an upload.
 * @throws full; too-many-requests when the holder's quota is used up; interrupted when this process's lease expired and
 * the upload was removed
 */
export async function admitBytes(
  { db, bounds }: { db: Database; bounds: Bounds },
  { jobId, bytes, limits }: { jobId: string; bytes: number; limits: Limits },
): Promise<void> {
  const upload = sql`b.job_id = ${jobId} and b.uploader is not null`;
  // The last step of a full batch may exceed the quota, and so may the form's own text.
  const maxBytes = holderBytes(limits) + arrivalBytes;
  if (await grow(db, upload, { bytes, spoolBytes: bounds.spoolBytes, maxBytes })) return;
  const [row] = await rowsOf<{ held: number }>(
    db.execute(sql`select ${heldBeside} as held from job_blobs b where ${upload}`),
  );
  if (!row) throw new DomainError("interrupted");
  throw row.held + bytes > maxBytes ? holderFull() : spoolFull();
}
