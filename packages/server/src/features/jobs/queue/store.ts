import type { JobState } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Queryable, rowsOf } from "../../../platform/db/database.ts";
import { widestNetwork } from "../../../platform/network.ts";
import type { Lane, Offer, WorkClass } from "../../../platform/work/work.ts";
import { type JobQueue, type PlaceBounds, type PlaceRefusal, placeRefusal } from "../limits/places.ts";
import {
  type FileEnding,
  type FileRecord,
  fileIdOf,
  isWaiting,
  type JobRecord,
  keptMs,
  type NewFile,
  readFileId,
} from "../record/job.ts";
import { type FileRow, fileOf } from "../record/job-row.ts";

// The statements of the queue. Each change by a worker checks the row's owner, so that no worker undoes another's work.

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
    chain_job_id: file.chain?.jobId ?? null,
    chain_index: file.chain?.index ?? null,
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
          progress, reason, code, chain_job_id, chain_index)
        select job.id, f.file_index, ${queueKey}, ${job.network}::text, ${workClass}, ${lane}, coalesce(least(2000000, queue_end.priority + f.place), 0),
          f.state, f.name, f.size_bytes, f.format, f.input, case when f.place is null then 1 else 0 end, f.reason, f.code,
          f.chain_job_id, f.chain_index
        from job, queue_end, jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as f(file_index int, place int, state text,
          name text, size_bytes int, format text, input text, reason jsonb, code text, chain_job_id text, chain_index int)
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

/** A file fails after this many lost workers or engines. */
export const maxTries = 2;

export type Claim = { jobId: string; index: number; worker: string; tries: number };
export type ClaimedFile = {
  claim: Claim;
  file: FileRecord;
  job: Pick<JobRecord, "owner" | "operation" | "tier" | "steps" | "inputs" | "waited" | "charged"> & {
    files: number;
    /** See the column. */
    requestId: string | null;
    traceparent: string | null;
  };
  /** How long the file had waited. */
  waitedSeconds: number;
};

export type ClaimOutcome =
  /** `next`: the first few of those that were held back before, to be offered when an engine becomes free. */
  | { kind: "claimed"; claimed: ClaimedFile; next: Offer[] }
  /** Files wait, and none may run now. `left`: those that need no turn until an engine becomes free. */
  | { kind: "held-back"; next: Offer[]; left: Offer[] }
  /** No file waits. */
  | { kind: "nothing" };

/** The workers offer held-back files again themselves. The sweep waits this much longer. */
const heldBackSeconds = 10;
const heldBackFor = sql.raw(`interval '${heldBackSeconds} s'`);
/** Files of each lane in `next`. */
const maxNext = 4;

/** Engines are shared by the widest networks: nobody gets more of them with a further network of IPv6. */
const widest = (alias: string) => widestNetwork(sql.raw(`${alias}.network`));

/** Engines of a class across all living processes; 0 if none reports any. */
const enginesOf = (workClass: SQL) => sql`(
  select coalesce(sum(case ${workClass} when 'picture' then picture_engines else model_engines end), 0)
  from processes where lease_until > now())`;

/**
 * Claims the file whose turn it is, or the next one of its class that may run, first in the same lane. Files are held back while
 * their queue holds its share of the engines: no queue gets the last engine, and while others wait none holds more than an
 * equal share. In the same way, callers without a paid plan share their network's engines while other networks wait. A queue
 * that yielded claims nothing until the others have had a turn. Two claims at the same moment may exceed a share by one, which
 * `filesToYield` corrects.
 *
 * One statement, however many files are held back: with a claim for each of them, 1,800 files of one network kept the event
 * loop of an embedded server busy for seconds.
 */
export async function claimNext(
  db: Database,
  { fileId, workClass, worker }: { fileId: string; workClass: WorkClass; worker: string },
): Promise<ClaimOutcome> {
  const { jobId, index } = readFileId(fileId);
  type Queued = { job_id: string; file_index: number; lane: Lane; priority: number };
  type Claimed = FileRow &
    Omit<ClaimedFile["job"], "requestId"> & { job_id: string; request_id: string | null; waited_s: number };
  type Row = { next: Queued[] | null; held: Queued[] | null } & (Claimed | { job_id: null });
  const [row] = await rowsOf<Row>(
    db.execute(sql`
      with open as materialized (
        select job_id, file_index, queue_key, ${widest("f")} as network, lane, priority, state, yields, waiting_since, offered_at
        from job_files f
        where class = ${workClass} and (state = 'working' or (state = 'waiting' and tries < ${maxTries}::int))),
      queues as (
        select queue_key, count(*) filter (where state = 'working') as held, count(*) filter (where state = 'waiting') as waiting,
          max(waiting_since) filter (where state = 'waiting' and yields > 0) as yielded_since,
          min(waiting_since) filter (where state = 'waiting') as oldest
        from open group by queue_key),
      networks as (
        select network, count(*) filter (where state = 'working') as held, count(*) filter (where state = 'waiting') as waiting
        from open where network is not null group by network),
      totals as (
        select ${enginesOf(sql`${workClass}::text`)} as engines, count(*) as queues, coalesce(sum(waiting), 0) as waiting
        from queues),
      held_queues as (
        select q.queue_key, case
          when t.engines = 0 or q.waiting = 0 then false
          when q.held > 0 and q.held >= t.engines - 1 then true
          when q.held > 0 and t.waiting > q.waiting then q.held >= greatest(1, t.engines / t.queues)
          else q.yielded_since is not null and exists (
            select 1 from queues o where o.queue_key <> q.queue_key and o.held = 0 and o.oldest <= q.yielded_since) end as is_held
        from queues q, totals t),
      held_networks as (
        select n.network, t.engines > 0 and n.held > 0 and n.held >= t.engines - 1 and t.waiting > n.waiting as is_held
        from networks n, totals t),
      held as (
        select (select coalesce(array_agg(queue_key), '{}') from held_queues where is_held) as queues,
          (select coalesce(array_agg(network), '{}') from held_networks where is_held) as networks),
      picked as (
        select f.job_id, f.file_index from job_files f, held
        where f.class = ${workClass} and f.state = 'waiting' and f.tries < ${maxTries}::int and f.queue_key <> all(held.queues)
          and (f.network is null or ${widest("f")} <> all(held.networks))
        order by f.job_id = ${jobId} and f.file_index = ${index}::int desc, f.lane = coalesce((
            select lane from job_files where job_id = ${jobId} and file_index = ${index}::int), 'fast') desc,
          f.priority, f.waiting_since, f.job_id, f.file_index
        limit 1 for update of f skip locked),
      claimed as (
        update job_files f set state = 'working', tries = f.tries + 1, worker = ${worker}, progress = 0, stage = null
        from picked where f.job_id = picked.job_id and f.file_index = picked.file_index
        returning f.*),
      unmarked as (
        select f.job_id, f.file_index from job_files f
        where f.class = ${workClass} and f.state = 'waiting' and f.offered_at < now() + ${heldBackFor} / 2
          and not exists (select 1 from picked)
        order by f.job_id, f.file_index for update skip locked),
      marked as (
        update job_files f set offered_at = now() + ${heldBackFor}
        from unmarked where f.job_id = unmarked.job_id and f.file_index = unmarked.file_index
        returning f.job_id, f.file_index, f.lane, f.priority),
      next as (
        select job_id, file_index, lane, priority, row_number() over (partition by lane order by priority, waiting_since) as place
        from open where state = 'waiting' and (not exists (select 1 from picked) or (
          offered_at > now() and not exists (
            select 1 from picked where picked.job_id = open.job_id and picked.file_index = open.file_index))))
      select f.*, j.owner, j.operation, j.tier, j.steps, j.inputs, j.waited, j.charged, j.request_id, j.traceparent,
        extract(epoch from now() - f.waiting_since)::float8 as waited_s,
        (select count(*)::int from job_files where job_id = j.id) as files,
        (select json_agg(next) from next where place <= ${maxNext}::int) as next,
        (select json_agg(marked) from marked) as held
      from (select 1) one left join claimed f on true left join jobs j on j.id = f.job_id`),
  );
  const offers = (files: Queued[] | null | undefined) =>
    (files ?? []).map((file) => ({
      fileId: fileIdOf(file.job_id, file.file_index),
      workClass,
      lane: file.lane,
      priority: file.priority,
    }));
  const next = offers(row?.next);
  if (!row || row.job_id === null)
    return next.length === 0 ? { kind: "nothing" } : { kind: "held-back", next, left: offers(row?.held) };
  const { owner, operation, tier, steps, inputs, waited, charged, files, request_id: requestId, traceparent } = row;
  const claimed: ClaimedFile = {
    claim: { jobId: row.job_id, index: row.file_index, worker, tries: row.tries },
    file: fileOf(row),
    job: { owner, operation, tier, steps, inputs, waited, charged, files, requestId, traceparent },
    waitedSeconds: row.waited_s,
  };
  return { kind: "claimed", claimed, next };
}

/** Whether another living process has engines of this class that take work. */
export async function hasOtherWorker(db: Database, worker: string, workClass: WorkClass): Promise<boolean> {
  const rows = await rowsOf(
    db.execute(sql`
      select 1 from processes where id <> ${worker} and lease_until > now()
        and case ${workClass}::text when 'picture' then picture_engines else model_engines end > 0 limit 1`),
  );
  return rows.length > 0;
}

/**
 * Which of these files in work should yield while no engine is free: another queue waits and holds no engine, or the
 * file's own queue holds more than its share while another waits.
 */
export async function filesToYield(db: Database, worker: string, files: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf<{ id: string }>(
    db.execute(sql`
      with open as (
        select class, queue_key, count(*) filter (where state = 'working') as held, count(*) filter (where state = 'waiting') as waiting
        from job_files where state in ('waiting', 'working') group by class, queue_key),
      classes as (
        select class, ${enginesOf(sql`open.class`)} as engines, count(*) as queues, sum(held) as busy
        from open group by class)
      select f.job_id || '.' || f.file_index as id
      from job_files f join open mine on mine.class = f.class and mine.queue_key = f.queue_key
        join classes on classes.class = f.class and classes.busy >= classes.engines
      where f.state = 'working' and f.worker = ${worker} and f.job_id || '.' || f.file_index = any(${sql.param(files)}::text[])
        and exists (select 1 from open other where other.class = f.class and other.queue_key <> f.queue_key and other.waiting > 0
          and (other.held = 0 or mine.held > greatest(1, classes.engines / classes.queues)))`),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Requeues a file in work behind the next one, without counting the try. Undefined if the claim was lost. */
export async function yieldFile(
  db: Database,
  claim: Claim,
  { engineMs }: { engineMs: number },
): Promise<FileRecord | undefined> {
  const [row] = await rowsOf<FileRow>(
    db.execute(sql`
      update job_files f set state = 'waiting', worker = null, progress = 0, stage = null, waiting_since = now(),
        offered_at = now() + ${heldBackFor}, tries = f.tries - 1, yields = f.yields + 1,
        engine_ms = f.engine_ms + ${Math.round(engineMs)}::int,
        priority = least(2000000, 1 + greatest(f.priority, coalesce((select min(w.priority) from job_files w
          where w.state = 'waiting' and w.class = f.class and w.lane = f.lane), 0)))
      where ${matchesClaim(claim)}
      returning f.*`),
  );
  return row && fileOf(row);
}

/** SQL condition: the file's row belongs to this claim. */
const matchesClaim = ({ jobId, index, worker, tries }: Claim) =>
  sql`f.job_id = ${jobId} and f.file_index = ${index}::int and f.state = 'working' and f.worker = ${worker}
    and f.tries = ${tries}::int`;

export async function ownsClaim(db: Database, claim: Claim): Promise<boolean> {
  const rows = await rowsOf(db.execute(sql`select 1 from job_files f where ${matchesClaim(claim)}`));
  return rows.length > 0;
}

/** Whether the claimed file was cancelled meanwhile. */
export async function isCancelled(db: Database, { jobId, index }: Claim): Promise<boolean> {
  const rows = await rowsOf(
    db.execute(sql`
      select 1 from job_files where job_id = ${jobId} and file_index = ${index}::int and state = 'cancelled'`),
  );
  return rows.length > 0;
}

export type FinishedFile = Pick<JobRecord, "state" | "version" | "operation" | "waited" | "owner"> & {
  filesLeft: number;
  /** See the column. */
  chargeJobId: string | null;
  /** The file's total over all claims, ms. */
  engineMs: number;
  network: string | null;
};

/**
 * Records how the file ended, and with the last file how the job ended. Undefined if the claim was lost; then nothing
 * changed. Locks the job's row before the file's, as everywhere, to avoid deadlocks.
 */
export async function finishFile(
  db: Queryable,
  claim: Claim,
  { ending, engineMs, now, deleteAfter }: { ending: FileEnding; engineMs: number; now: Date; deleteAfter: Date },
): Promise<FinishedFile | undefined> {
  const succeeded = ending.state === "done" || ending.state === "unchanged" ? 1 : 0;
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  type Row = Pick<FinishedFile, "state" | "version" | "operation" | "waited" | "owner" | "network"> & {
    files_left: number;
    charge_job_id: string | null;
    engine_ms: number;
  };
  const [row] = await rowsOf<Row>(
    db.execute(sql`
      with job as (select id from jobs where id = ${claim.jobId} for update),
      done as (
        update job_files f set state = ${ending.state}, progress = 1, stage = null, output = ${ending.output ?? null},
          source = ${json(ending.source)}::jsonb, result = ${json(ending.result)}::jsonb,
          notes = ${JSON.stringify(ending.notes)}::jsonb, confidence = ${ending.confidence ?? null}::float8,
          reason = ${json(ending.reason)}::jsonb, code = ${ending.code ?? null},
          smallest_bytes = ${ending.smallestBytes ?? null}::int, engine_ms = f.engine_ms + ${Math.round(engineMs)}::int
        from job where f.job_id = job.id and ${matchesClaim(claim)}
        returning f.file_index, f.engine_ms, f.network),
      finished as (
        update jobs j set version = j.version + 1, files_left = j.files_left - 1, files_good = j.files_good + ${succeeded}::int,
          state = case when j.files_left > 1 then 'running' when j.files_good + ${succeeded}::int > 0 then 'done' else 'failed' end,
          finished_at = case when j.files_left > 1 then null else ${now.toISOString()}::timestamptz end,
          process = case when j.files_left > 1 or j.waited then j.process end
        from done where j.id = ${claim.jobId}
        returning j.state, j.version, j.operation, j.waited, j.owner, j.charge_job_id, j.files_left, done.engine_ms,
          done.network),
      blobs as (
        update job_blobs set delete_after = ${deleteAfter.toISOString()}::timestamptz
        from finished where job_id = ${claim.jobId} and finished.files_left = 0)
      select * from finished`),
  );
  if (!row) return undefined;
  const { files_left: filesLeft, charge_job_id: chargeJobId, engine_ms: engineMsOfAll, ...rest } = row;
  return { ...rest, filesLeft, chargeJobId, engineMs: engineMsOfAll };
}

/**
 * Releases a file that the claim did not finish. `isLoss`: its engine was lost, which counts as a try; otherwise the try
 * does not count. Returns the released file; undefined if the claim was lost.
 */
export async function releaseFile(
  db: Database,
  claim: Claim,
  { isLoss, engineMs = 0 }: { isLoss: boolean; engineMs?: number },
): Promise<FileRecord | undefined> {
  const [row] = await rowsOf<FileRow>(
    db.execute(sql`
      update job_files f set state = 'waiting', worker = null, progress = 0, stage = null, waiting_since = now(),
        offered_at = now(), tries = f.tries - ${isLoss ? 0 : 1}::int,
        engine_ms = f.engine_ms + ${isLoss ? Math.round(engineMs) : 0}::int
      where ${matchesClaim(claim)} and (f.tries < ${maxTries}::int or not ${isLoss}::boolean)
      returning f.*`),
  );
  return row && fileOf(row);
}

/** A file in work, with its progress. */
export type ClaimProgress = { claim: Claim; progress: number; stage: string | undefined };

/** Writes the progress of files. Returns the claims that this worker still owns. */
export async function noteProgress(
  db: Database,
  worker: string,
  files: readonly ClaimProgress[],
): Promise<Set<string>> {
  const rows = await rowsOf<{ job_id: string; file_index: number }>(
    db.execute(sql`
      update job_files f set progress = p.progress, stage = p.stage
      from jsonb_to_recordset(${JSON.stringify(
        files.map(({ claim, progress, stage }) => ({ ...claim, progress, stage: stage ?? null })),
      )}::jsonb) as p("jobId" text, index int, tries int, progress float8, stage text)
      where f.job_id = p."jobId" and f.file_index = p.index and f.tries = p.tries and f.state = 'working' and f.worker = ${worker}
      returning f.job_id, f.file_index`),
  );
  return new Set(rows.map(({ job_id, file_index }) => `${job_id}.${file_index}`));
}

/** A row that is assigned to a worker, without its claim's end being known. */
export type Assigned = Pick<Claim, "jobId" | "index" | "tries">;

/** The rows that are assigned to this worker and not among those in progress. */
export async function findOrphans(db: Database, worker: string, inProgressIds: readonly string[]): Promise<Assigned[]> {
  const rows = await rowsOf<{ job_id: string; file_index: number; tries: number }>(
    db.execute(sql`
      select job_id, file_index, tries from job_files
      where state = 'working' and worker = ${worker} and job_id || '.' || file_index <> all(${sql.param(inProgressIds)}::text[])`),
  );
  return rows.map(({ job_id: jobId, file_index: index, tries }) => ({ jobId, index, tries }));
}
