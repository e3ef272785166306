import { type SQL, sql } from "drizzle-orm";
import { type Database, type Queryable, rowsOf } from "../../platform/db/database.ts";
import { widestNetwork } from "../../platform/network.ts";
import type { FileEnding, FileRecord, JobRecord } from "./job.ts";
import { type FileRow, fileOf } from "./job-row.ts";

/** A worker's changes to a file's row. Each statement checks the row's owner, so that no worker undoes another's work. */

/** A file fails after this many lost workers or engines. */
export const maxTries = 2;

export type Turn = { jobId: string; index: number; worker: string; tries: number };
export type FileClaim = {
  turn: Turn;
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

/** `held-back`: its queue or its network already holds its share of the engines. */
export type ClaimOutcome =
  | { kind: "claimed"; claim: FileClaim }
  | { kind: "held-back"; file: FileRecord }
  | { kind: "taken" };

/** The worker that holds a file back offers it again itself. The sweep waits this much longer. */
const heldBackFor = sql.raw("interval '10 s'");

/** Engines are shared by the widest networks: nobody gets more of them with a further network of IPv6. */
const widest = (alias: string) => widestNetwork(sql.raw(`${alias}.network`));

/** Engines of a class across all living processes; 0 if none reports any. */
const enginesOf = (workClass: SQL) => sql`(
  select coalesce(sum(case ${workClass} when 'picture' then picture_engines else model_engines end), 0)
  from processes where lease_until > now())`;

/**
 * Claims the file, unless another worker has it, its job has ended, or its queue holds its share of the engines. No queue
 * gets the last engine, and while others wait none holds more than an equal share. In the same way, callers without a paid
 * plan share their network's engines while other networks wait. A queue that yielded claims nothing until the others have
 * had a turn. Two claims at the same moment may exceed a share by one, which `filesToYield` corrects.
 */
export async function claimFile(db: Database, { jobId, index, worker }: Omit<Turn, "tries">): Promise<ClaimOutcome> {
  type Row = FileRow &
    Omit<FileClaim["job"], "requestId"> & { request_id: string | null; waited_s: number; is_mine: boolean };
  const [row] = await rowsOf<Row>(
    db.execute(sql`
      with wanted as (
        select * from job_files
        where job_id = ${jobId} and file_index = ${index}::int and state = 'waiting' and tries < ${maxTries}::int),
      held as (
        select w.line, w.network, w.class, ${enginesOf(sql`w.class`)} as engines,
          (select count(*) from job_files f where f.line = w.line and f.class = w.class and f.state = 'working') as by_line,
          (select count(*) from job_files f where ${widest("f")} = ${widest("w")} and f.class = w.class
            and f.state = 'working') as by_network
        from wanted w),
      room as (
        select case
          when engines = 0 then true
          when by_line > 0 and by_line >= engines - 1 then false
          when by_line > 0 and exists (select 1 from job_files f where f.state = 'waiting' and f.class = held.class
              and f.line <> held.line)
            then by_line < greatest(1, engines / (select count(distinct f.line) from job_files f
              where f.state in ('waiting', 'working') and f.class = held.class))
          when exists (select 1 from job_files mine join job_files other on other.class = mine.class and other.line <> mine.line
              where mine.line = held.line and mine.class = held.class and mine.state = 'waiting' and mine.yields > 0
                and other.state = 'waiting' and other.waiting_since <= mine.waiting_since and not exists (
                  select 1 from job_files f where f.line = other.line and f.class = other.class and f.state = 'working'))
            then false
          when by_network > 0 and by_network >= engines - 1 then not exists (
            select 1 from job_files f where f.state = 'waiting' and f.class = held.class
              and f.line <> held.line and ${widest("f")} is distinct from ${widest("held")})
          else true end as is_free
        from held),
      claimed as (
        update job_files f set state = 'working', tries = f.tries + 1, worker = ${worker}, progress = 0, stage = null
        from room where room.is_free and f.job_id = ${jobId} and f.file_index = ${index}::int
          and f.state = 'waiting' and f.tries < ${maxTries}::int
        returning f.*),
      held_back as (
        update job_files f set offered_at = now() + ${heldBackFor}
        from room where not room.is_free and f.job_id = ${jobId} and f.file_index = ${index}::int
          and f.state = 'waiting'
        returning f.*)
      select f.*, j.owner, j.operation, j.tier, j.steps, j.inputs, j.waited, j.charged, j.request_id, j.traceparent,
        extract(epoch from now() - f.waiting_since)::float8 as waited_s, f.state = 'working' as is_mine,
        (select count(*)::int from job_files where job_id = ${jobId}) as files
      from (select * from claimed union all select * from held_back) f join jobs j on j.id = f.job_id`),
  );
  if (!row) return { kind: "taken" };
  if (!row.is_mine) return { kind: "held-back", file: fileOf(row) };
  const { owner, operation, tier, steps, inputs, waited, charged, files, request_id: requestId, traceparent } = row;
  const claim: FileClaim = {
    turn: { jobId, index, worker, tries: row.tries },
    file: fileOf(row),
    job: { owner, operation, tier, steps, inputs, waited, charged, files, requestId, traceparent },
    waitedSeconds: row.waited_s,
  };
  return { kind: "claimed", claim };
}

/**
 * Which of these files in work should yield while no engine is free: another queue waits and holds no engine, or the
 * file's own queue holds more than its share while another waits.
 */
export async function filesToYield(db: Database, worker: string, files: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf<{ id: string }>(
    db.execute(sql`
      with open as (
        select class, line, count(*) filter (where state = 'working') as held, count(*) filter (where state = 'waiting') as waiting
        from job_files where state in ('waiting', 'working') group by class, line),
      classes as (
        select class, ${enginesOf(sql`open.class`)} as engines, count(*) as lines, sum(held) as busy
        from open group by class)
      select f.job_id || '.' || f.file_index as id
      from job_files f join open mine on mine.class = f.class and mine.line = f.line
        join classes on classes.class = f.class and classes.busy >= classes.engines
      where f.state = 'working' and f.worker = ${worker} and f.job_id || '.' || f.file_index = any(${sql.param(files)}::text[])
        and exists (select 1 from open other where other.class = f.class and other.line <> f.line and other.waiting > 0
          and (other.held = 0 or mine.held > greatest(1, classes.engines / classes.lines)))`),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Requeues a file in work behind the next one, without counting the try. Undefined if the turn was lost. */
export async function yieldFile(
  db: Database,
  turn: Turn,
  { engineMs }: { engineMs: number },
): Promise<FileRecord | undefined> {
  const [row] = await rowsOf<FileRow>(
    db.execute(sql`
      update job_files f set state = 'waiting', worker = null, progress = 0, stage = null, waiting_since = now(),
        offered_at = now() + ${heldBackFor}, tries = f.tries - 1, yields = f.yields + 1,
        engine_ms = f.engine_ms + ${Math.round(engineMs)}::int,
        tag = least(2000000, 1 + greatest(f.tag, coalesce((select min(w.tag) from job_files w
          where w.state = 'waiting' and w.class = f.class and w.lane = f.lane), 0)))
      where ${matchesTurn(turn)}
      returning f.*`),
  );
  return row && fileOf(row);
}

/** SQL condition: the file's row belongs to this turn. */
const matchesTurn = ({ jobId, index, worker, tries }: Turn) =>
  sql`f.job_id = ${jobId} and f.file_index = ${index}::int and f.state = 'working' and f.worker = ${worker}
    and f.tries = ${tries}::int`;

export async function ownsTurn(db: Database, turn: Turn): Promise<boolean> {
  const rows = await rowsOf(db.execute(sql`select 1 from job_files f where ${matchesTurn(turn)}`));
  return rows.length > 0;
}

export type FinishedFile = Pick<JobRecord, "state" | "version" | "operation" | "waited" | "owner"> & {
  filesLeft: number;
  /** See the column. */
  chargeJobId: string | null;
  /** The file's total over all turns, ms. */
  engineMs: number;
  network: string | null;
};

/**
 * Records how the file ended, and with the last file how the job ended. Undefined if the turn was lost; then nothing
 * changed. Locks the job's row before the file's, as everywhere, to avoid deadlocks.
 */
export async function finishFile(
  db: Queryable,
  turn: Turn,
  { ending, engineMs, now, deleteAfter }: { ending: FileEnding; engineMs: number; now: Date; deleteAfter: Date },
): Promise<FinishedFile | undefined> {
  const good = ending.state === "done" || ending.state === "unchanged" ? 1 : 0;
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  type Row = Pick<FinishedFile, "state" | "version" | "operation" | "waited" | "owner" | "network"> & {
    files_left: number;
    charge_job_id: string | null;
    engine_ms: number;
  };
  const [row] = await rowsOf<Row>(
    db.execute(sql`
      with job as (select id from jobs where id = ${turn.jobId} for update),
      done as (
        update job_files f set state = ${ending.state}, progress = 1, stage = null, output = ${ending.output ?? null},
          source = ${json(ending.source)}::jsonb, result = ${json(ending.result)}::jsonb,
          notes = ${JSON.stringify(ending.notes)}::jsonb, confidence = ${ending.confidence ?? null}::float8,
          reason = ${ending.reason ?? null}, code = ${ending.code ?? null},
          smallest_bytes = ${ending.smallestBytes ?? null}::int, engine_ms = f.engine_ms + ${Math.round(engineMs)}::int
        from job where f.job_id = job.id and ${matchesTurn(turn)}
        returning f.file_index, f.engine_ms, f.network),
      finished as (
        update jobs j set version = j.version + 1, files_left = j.files_left - 1, files_good = j.files_good + ${good}::int,
          state = case when j.files_left > 1 then 'running' when j.files_good + ${good}::int > 0 then 'done' else 'failed' end,
          finished_at = case when j.files_left > 1 then null else ${now.toISOString()}::timestamptz end,
          process = case when j.files_left > 1 or j.waited then j.process end
        from done where j.id = ${turn.jobId}
        returning j.state, j.version, j.operation, j.waited, j.owner, j.charge_job_id, j.files_left, done.engine_ms,
          done.network),
      blobs as (
        update job_blobs set delete_after = ${deleteAfter.toISOString()}::timestamptz
        from finished where job_id = ${turn.jobId} and finished.files_left = 0)
      select * from finished`),
  );
  if (!row) return undefined;
  const { files_left: filesLeft, charge_job_id: chargeJobId, engine_ms: engineMsOfAll, ...rest } = row;
  return { ...rest, filesLeft, chargeJobId, engineMs: engineMsOfAll };
}

/**
 * Releases a file that the turn did not finish. `isLoss`: its engine was lost, which counts as a try; otherwise the try
 * does not count. Returns the released file; undefined if the turn was lost.
 */
export async function releaseFile(
  db: Database,
  turn: Turn,
  { isLoss, engineMs = 0 }: { isLoss: boolean; engineMs?: number },
): Promise<FileRecord | undefined> {
  const [row] = await rowsOf<FileRow>(
    db.execute(sql`
      update job_files f set state = 'waiting', worker = null, progress = 0, stage = null, waiting_since = now(),
        offered_at = now(), tries = f.tries - ${isLoss ? 0 : 1}::int,
        engine_ms = f.engine_ms + ${isLoss ? Math.round(engineMs) : 0}::int
      where ${matchesTurn(turn)} and (f.tries < ${maxTries}::int or not ${isLoss}::boolean)
      returning f.*`),
  );
  return row && fileOf(row);
}

/** A file in work, with its progress. */
export type TurnProgress = { turn: Turn; progress: number; stage: string | undefined };

/** Writes the progress of files. Returns the turns that this worker still owns. */
export async function noteProgress(db: Database, worker: string, files: readonly TurnProgress[]): Promise<Set<string>> {
  const rows = await rowsOf<{ job_id: string; file_index: number }>(
    db.execute(sql`
      update job_files f set progress = p.progress, stage = p.stage
      from jsonb_to_recordset(${JSON.stringify(
        files.map(({ turn, progress, stage }) => ({ ...turn, progress, stage: stage ?? null })),
      )}::jsonb) as p("jobId" text, index int, tries int, progress float8, stage text)
      where f.job_id = p."jobId" and f.file_index = p.index and f.tries = p.tries and f.state = 'working' and f.worker = ${worker}
      returning f.job_id, f.file_index`),
  );
  return new Set(rows.map(({ job_id, file_index }) => `${job_id}.${file_index}`));
}

/** Releases rows that are assigned to this worker but not running: their end could not be written. */
export async function releaseOrphans(
  db: Database,
  worker: string,
  runningIds: readonly string[],
): Promise<{ jobId: string; file: FileRecord }[]> {
  const rows = await rowsOf<FileRow & { job_id: string }>(
    db.execute(sql`
      update job_files set state = 'waiting', worker = null, progress = 0, stage = null, waiting_since = now(),
        offered_at = now(), tries = tries - 1
      where state = 'working' and worker = ${worker} and job_id || '.' || file_index <> all(${sql.param(runningIds)}::text[])
      returning *`),
  );
  return rows.map((row) => ({ jobId: row.job_id, file: fileOf(row) }));
}
