import type { JobState } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { type Queryable, rowsOf } from "../../../platform/db/database.ts";
import type { Lane, WorkClass } from "../../../platform/work/work.ts";
import { type JobQueue, type PlaceBounds, type PlaceRefusal, placeRefusal } from "../limits/places.ts";
import { type FileRecord, isWaiting, type JobRecord, keptMs, type NewFile } from "../record/job.ts";

export type JobInsert = Pick<
  JobRecord,
  "id" | "owner" | "tier" | "operation" | "steps" | "inputs" | "waited" | "charged"
> & {
  /** See the column. */
  process: string | null;
  /** See the column. */
  chargeJobId: string | null;
  files: NewFile[];
  class: WorkClass;
  lane: Lane;
  queue: JobQueue;
  network: string | null;
  requestId: string | null;
  traceparent: string | null;
  now: Date;
};
export type InsertOutcome =
  | { kind: "inserted"; files: Pick<FileRecord, "index" | "class" | "lane" | "priority">[] }
  | { kind: "refused"; refusal: PlaceRefusal }
  /** This process's lease expired during the upload, and its pictures are removed or being removed. */
  | { kind: "gone" };

/**
 * Inserts and queues the job and its files in one statement. Start-time fair queueing: a file's priority follows the head
 * of its lane or the caller's last file, whichever is later. The limit of one queue is exact for a transaction that holds
 * the caller's counter. Two callers at the same moment may exceed the others by a few files.
 */
export async function insertJob(db: Queryable, job: JobInsert, bounds: PlaceBounds): Promise<InsertOutcome> {
  const left = job.files.filter((file) => !file.ending).length;
  const succeeded = job.files.filter(({ ending }) => ending?.state === "unchanged").length;
  const state: JobState = left > 0 ? "queued" : succeeded > 0 ? "done" : "failed";
  const finishedAt = left > 0 ? null : job.now.toISOString();
  const deleteAfter = left > 0 ? null : new Date(job.now.getTime() + keptMs(job.steps)).toISOString();
  let place = 0;
  const files = job.files.map((file, index) => ({
    file_index: index,
    place: file.ending ? null : place++,
    state: file.ending?.state ?? "waiting",
    name: file.name,
    size_bytes: file.sizeBytes,
    format: file.format ?? null,
    input: file.input,
    reason: file.ending?.reason ?? null,
    code: file.ending?.code ?? null,
  }));
  const { class: workClass, lane, queue } = job;
  const { key: queueKey } = queue;
  const refusal = left > 0 ? placeRefusal(bounds, { queue, network: job.network, files: left }) : sql`null::text`;
  const [row] = await rowsOf<{ refusal: PlaceRefusal | null; inserted: InsertedFileRow[] | null }>(
    db.execute(sql`
      with queue_end as (select greatest(1,
          coalesce((select min(priority) from job_files where state = 'waiting' and class = ${workClass} and lane = ${lane}),
            (select max(priority) from job_files where state = 'working' and class = ${workClass} and lane = ${lane})),
          (select max(priority) + 1 from job_files where queue_key = ${queueKey} and class = ${workClass} and lane = ${lane}
            and state in ('waiting', 'working'))) as priority),
      room as (select ${refusal} as refusal),
      blobs as (
        update job_blobs set uploader = null, delete_after = ${deleteAfter}::timestamptz,
          bytes = ${job.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)}::bigint
        from room where job_id = ${job.id} and removing_until is null and refusal is null
        returning 1),
      job as (
        insert into jobs (id, owner, tier, operation, steps, inputs, state, waited, process, charged, replay,
          charge_job_id, files_left, files_good, created_at, finished_at, request_id, traceparent)
        select ${job.id}, ${job.owner}, ${job.tier}, ${job.operation}, ${JSON.stringify(job.steps)}::jsonb,
          ${JSON.stringify(job.inputs)}::jsonb, ${state}, ${job.waited}::boolean, ${left > 0 ? job.process : null}::text,
          ${job.charged}::int, ${job.chargeJobId !== null}::boolean,
          ${job.chargeJobId}::text, ${left}::int, ${succeeded}::int,
          ${job.now.toISOString()}::timestamptz, ${finishedAt}::timestamptz,
          ${job.requestId}::text, ${job.traceparent}::text
        from blobs returning id),
      files as (
        insert into job_files (job_id, file_index, queue_key, network, class, lane, priority, state, name, size_bytes, format, input,
          progress, reason, code)
        select job.id, f.file_index, ${queueKey}, ${job.network}::text, ${workClass}, ${lane}, coalesce(least(2000000, queue_end.priority + f.place), 0),
          f.state, f.name, f.size_bytes, f.format, f.input, case when f.place is null then 1 else 0 end, f.reason, f.code
        from job, queue_end, jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as f(file_index int, place int, state text,
          name text, size_bytes int, format text, input text, reason text, code text)
        returning file_index, priority, state)
      select room.refusal, (select json_agg(files) from files) as inserted from room`),
  );
  if (!row?.inserted) return row?.refusal ? { kind: "refused", refusal: row.refusal } : { kind: "gone" };
  const waiting = row.inserted.filter(isWaiting).toSorted((a, b) => a.file_index - b.file_index);
  return {
    kind: "inserted",
    files: waiting.map(({ file_index: index, priority }) => ({ index, priority, class: workClass, lane })),
  };
}
type InsertedFileRow = { file_index: number; priority: number; state: FileRecord["state"] };
