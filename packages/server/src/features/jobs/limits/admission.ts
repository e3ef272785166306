import {
  DomainError,
  guestCreditsPerNetworkDay,
  isPrivate,
  type Limits,
  limits as limitsOfTiers,
} from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import type { Clock } from "../../../platform/clock.ts";
import { type Database, rowsOf } from "../../../platform/db/database.ts";
import { isInNetwork, networkRows } from "../../../platform/network.ts";
import { blockedUntil, networkBlocked } from "./blocked-networks.ts";
import {
  backgroundWork,
  type FreeWorker,
  type FreeWorkLimits,
  freeWorkUsedUp,
  type UsedUpBudget,
  usedUpBudget,
} from "./free-work.ts";
import { type JobQueue, type PlaceBounds, type PlaceRefusal, placeRefusal, placeRefused } from "./places.ts";

/** Limits on unfinished files, concurrent uploads and stored bytes. */
export type Bounds = PlaceBounds & {
  /** Concurrent uploads per network. */
  networkUploads: number;
  /** Stored bytes, across all callers. */
  spoolBytes: number;
  freeWork: FreeWorkLimits;
};

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
  /** Must have free work left, since a credit can be refunded. Its network must not be blocked. */
  worker: FreeWorker;
  /** Leaves half of the free work to other requests. */
  isBackground?: boolean;
  /** It repeats a charged request, which a block does not stop. */
  isRepeat?: boolean;
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
const heldGuestBatches = () => (isPrivate() ? heldBatches : guestCreditsPerNetworkDay / limitsOfTiers.guest.credits);

const batchBytes = ({ filesPerBatch, megabytesPerFile }: Limits) => filesPerBatch * megabytesPerFile * 1e6;
/** The storage quota of one holder, in bytes. */
const holderBytes = (limits: Limits): number =>
  batchBytes(limits) * (limits === limitsOfTiers.guest ? heldGuestBatches() : heldBatches);

const holderFull = () =>
  new DomainError("too-many-requests", {
    detail: `Your images use all the storage ${isPrivate() ? "that one person has" : "of your plan"}. Please wait until some are done.`,
    retryAfterSeconds: 10,
  });

/**
 * Inserts the row that names an upload's prefix before its first byte, if everything it announces would fit. Only one step
 * is reserved: bytes that are announced and never sent take no storage from others.
 * @throws network-blocked; full when too many files wait or too many bytes are stored; too-many-requests for one caller or
 * network, and while their free work is used up
 */
export async function admitUpload(
  { db, clock, bounds, process }: { db: Database; clock: Clock; bounds: Bounds; process: string },
  { jobId, queue, network, worker, isBackground, isRepeat, holder, limits, announcedBytes }: Upload,
): Promise<void> {
  const now = clock.now();
  const freeWork = { ...worker, limits: isBackground ? backgroundWork(bounds.freeWork) : bounds.freeWork, now };
  const announced = Math.min(announcedBytes ?? arrivalBytes, batchBytes(limits));
  const [room] = await rowsOf<{
    blocked_until: string | Date | null;
    used_up: UsedUpBudget | null;
    refusal: PlaceRefusal | null;
    too_many: boolean;
    too_large: boolean;
    admitted: boolean;
  }>(
    db.execute(sql`
      with room as (select
          ${blockedUntil(isRepeat ? null : worker.network, now)} as blocked_until,
          ${usedUpBudget(freeWork)} as used_up,
          ${placeRefusal(bounds, { queue, network: worker.network, files: 1 })} as refusal,
          exists (select 1 from ${networkRows(network)} where ${bounds.networkUploads}::int * around.share <= (
            select count(*) from job_blobs b where b.uploader is not null and ${isAround(sql`b.network`)})) as too_many,
          ${isOverQuota(holder, { bytes: announced, maxBytes: holderBytes(limits) })} as too_large,
          (select coalesce(sum(bytes), 0)::float8 from job_blobs) as bytes),
      admitted as (
        insert into job_blobs (job_id, uploader, network, holder, bytes, delete_after)
        select ${jobId}, ${process}, ${network}, ${holder}, ${Math.min(announced, arrivalBytes)}::bigint,
          ${new Date(now.getTime() + uploadMs).toISOString()}::timestamptz
        from room where blocked_until is null and used_up is null and refusal is null and not too_many and not too_large
          and bytes + ${announced}::float8 <= ${bounds.spoolBytes}::float8
        returning 1)
      select room.*, exists (select 1 from admitted) as admitted from room`),
  );
  if (!room || room.admitted) return;
  if (room.blocked_until) throw networkBlocked(new Date(room.blocked_until));
  if (room.used_up) throw freeWorkUsedUp(room.used_up, freeWork);
  if (room.refusal) throw placeRefused(room.refusal);
  if (room.too_many)
    throw new DomainError("too-many-requests", {
      detail: "Too many uploads are coming from your network at once. Please wait until some are done.",
      retryAfterSeconds: 5,
    });
  throw room.too_large ? holderFull() : spoolFull();
}

const isAround = (column: SQL) => isInNetwork(column, sql`around.key`);

/**
 * SQL condition: with these bytes, the holder would store more than their quota, or the guests of a network around theirs more
 * than its multiple.
 */
const isOverQuota = (holder: string, { bytes, maxBytes }: { bytes: number; maxBytes: number }) =>
  sql`exists (select 1 from ${networkRows(holder)} where ${maxBytes}::float8 * around.share < ${bytes}::float8 + (
    select coalesce(sum(h.bytes), 0)::float8 from job_blobs h where ${isAround(sql`h.holder`)}))`;

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
  if (!(await growBlobs(db, sql`b.job_id = ${jobId}`, { bytes, spoolBytes }))) throw spoolFull();
}

/** Adds bytes to a row of `job_blobs`. Returns false when they do not fit or the row is missing. */
async function growBlobs(db: Database, row: SQL, { bytes, spoolBytes }: { bytes: number; spoolBytes: number }) {
  const rows = await rowsOf(
    db.execute(sql`
      update job_blobs b set bytes = bytes + ${bytes}::bigint
      where ${row} and (select coalesce(sum(bytes), 0)::float8 from job_blobs) + ${bytes}::float8 <= ${spoolBytes}::float8
      returning 1`),
  );
  return rows.length > 0;
}

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
  { jobId, holder, bytes, limits }: Pick<Upload, "jobId" | "holder" | "limits"> & { bytes: number },
): Promise<void> {
  const upload = sql`b.job_id = ${jobId} and b.uploader is not null`;
  // The last step of a full batch may exceed the quota, and so may the form's own text.
  const isOver = isOverQuota(holder, { bytes, maxBytes: holderBytes(limits) + arrivalBytes });
  if (await growBlobs(db, sql`${upload} and not ${isOver}`, { bytes, spoolBytes: bounds.spoolBytes })) return;
  const [row] = await rowsOf<{ too_large: boolean }>(
    db.execute(sql`select ${isOver} as too_large from job_blobs b where ${upload}`),
  );
  if (!row) throw new DomainError("interrupted");
  throw row.too_large ? holderFull() : spoolFull();
}
