import { DomainError, type Limits } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import { type Database, rowsOf } from "../../platform/db/database.ts";
import type { QueueLimits } from "./store.ts";

/** Limits of files that wait, are in work and are taken in at a time. */
export type Bounds = {
  /** Files that wait or are in work, of everybody. */
  queueFiles: number;
  /** Of one caller. */
  callerFiles: number;
  /** Of all guests and free tasks of one network. */
  networkFiles: number;
  /** Uploads at a time from one network. */
  networkUploads: number;
  /** Bytes of pictures of everybody. */
  spoolBytes: number;
};

/** Guests and free tasks of a network stand in one line, since a cookie costs nothing. */
export type Line = { key: string; isShared: boolean };
export const lineLimits = (bounds: Bounds, { isShared }: Line): QueueLimits => ({
  all: bounds.queueFiles,
  line: isShared ? bounds.networkFiles : bounds.callerFiles,
});

export const full = () => new DomainError("full", { retryAfterSeconds: 5 });
export const lineFull = ({ isShared }: Line) =>
  new DomainError("too-many-requests", {
    detail: isShared
      ? "Too many pictures from your network are waiting. Please wait until some are done."
      : "Too many of your pictures are waiting. Please wait until some are done.",
    retryAfterSeconds: 5,
  });

const spoolFull = () =>
  new DomainError("full", {
    detail: "There is no room for more pictures just now. Please try again shortly.",
    retryAfterSeconds: 10,
  });

/** An upload that is still coming is deleted after so long: longer than the server waits for one. */
const uploadMs = 40 * 60_000;

export type Upload = { jobId: string; line: Line; network: string; limits: Limits; announcedBytes: number | undefined };

/**
 * Writes the row that names an upload's prefix, before its first byte, if there is room for it.
 * @throws full where too many files wait or too many bytes are held, too-many-requests for one caller or network
 */
export async function admitUpload(
  { db, clock, bounds, process }: { db: Database; clock: Clock; bounds: Bounds; process: string },
  { jobId, line, network, limits, announcedBytes }: Upload,
): Promise<void> {
  const bytes = announcedBytes ?? limits.megabytesPerFile * 1e6;
  const { all, line: most } = lineLimits(bounds, line);
  const [room] = await rowsOf<{ total: number; mine: number; uploads: number; bytes: number; admitted: boolean }>(
    db.execute(sql`
      with room as (select
          (select count(*)::int from job_files where state in ('waiting', 'working')) as total,
          (select count(*)::int from job_files where line = ${line.key} and state in ('waiting', 'working')) as mine,
          (select count(*)::int from job_blobs where network = ${network} and uploader is not null) as uploads,
          (select coalesce(sum(bytes), 0)::float8 from job_blobs) as bytes),
      admitted as (
        insert into job_blobs (job_id, uploader, network, bytes, delete_after)
        select ${jobId}, ${process}, ${network}, ${bytes}::bigint,
          ${new Date(clock.now().getTime() + uploadMs).toISOString()}::timestamptz
        from room where total < ${all}::int and mine < ${most}::int and uploads < ${bounds.networkUploads}::int
          and bytes + ${bytes}::float8 <= ${bounds.spoolBytes}::float8
        returning 1)
      select room.*, exists (select 1 from admitted) as admitted from room`),
  );
  if (!room || room.admitted) return;
  if (room.total >= all) throw full();
  if (room.mine >= most) throw lineFull(line);
  if (room.uploads >= bounds.networkUploads)
    throw new DomainError("too-many-requests", {
      detail: "Too many uploads come from your network at once. Please wait until some are through.",
      retryAfterSeconds: 5,
    });
  throw spoolFull();
}

/** A result that exceeds its picture by no more is not counted, for counting costs a statement. */
export const uncountedBytes = 1e6;

/**
 * Makes room for a result. The engine has written it by then: a disk can hold one result of each engine beyond the limit.
 * @throws full
 */
export async function admitResult(
  { db, spoolBytes }: { db: Database; spoolBytes: number },
  { jobId, bytes }: { jobId: string; bytes: number },
): Promise<void> {
  if (!(await grow(db, sql`job_id = ${jobId}`, { bytes, spoolBytes }))) throw spoolFull();
}

/** Counts more bytes for a row of `job_blobs`; false where there is no room for them, or no such row. */
async function grow(db: Database, row: SQL, { bytes, spoolBytes }: { bytes: number; spoolBytes: number }) {
  const rows = await rowsOf(
    db.execute(sql`
      update job_blobs set bytes = bytes + ${bytes}::bigint
      where ${row} and (select coalesce(sum(bytes), 0)::float8 from job_blobs) + ${bytes}::float8 <= ${spoolBytes}::float8
      returning 1`),
  );
  return rows.length > 0;
}

/** True while no job has begun on what was taken in under the prefix. */
export async function isUpload(db: Database, jobId: string): Promise<boolean> {
  const rows = await rowsOf(db.execute(sql`select 1 from job_blobs where job_id = ${jobId} and uploader is not null`));
  return rows.length > 0;
}

/** The upload came to nothing: the sweep removes what there is of it, and it takes no place of its network any more. */
export async function dropUpload(db: Database, { jobId, now }: { jobId: string; now: Date }): Promise<void> {
  await db.execute(sql`
    update job_blobs set uploader = null, delete_after = ${now.toISOString()}::timestamptz
    where job_id = ${jobId} and uploader is not null`);
}

/**
 * Makes room for bytes of an upload that come besides what was announced.
 * @throws full; interrupted where this process was taken for dead and the upload was removed
 */
export async function admitBytes(
  { db, bounds }: { db: Database; bounds: Bounds },
  { jobId, bytes }: { jobId: string; bytes: number },
): Promise<void> {
  const upload = sql`job_id = ${jobId} and uploader is not null`;
  if (await grow(db, upload, { bytes, spoolBytes: bounds.spoolBytes })) return;
  throw (await isUpload(db, jobId)) ? spoolFull() : new DomainError("interrupted");
}
