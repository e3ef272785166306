import type { TaskName, TierName } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { type Database, type Queryable, rowsOf } from "../../platform/db/database.ts";
import type { FileEnding, FileRecord, Input, JobRecord, Step } from "./job.ts";
import { type FileRow, fileOf } from "./job-row.ts";

/** A worker's changes of a file's row. Each statement names the row's owner, therefore none undoes another's work. */

/** A file is given up after so many workers or engines were lost under it. */
export const maxTries = 2;

export type Turn = { jobId: string; index: number; worker: string; tries: number };
export type Claim = {
  turn: Turn;
  file: FileRecord;
  job: { operation: TaskName; tier: TierName; steps: Step[]; inputs: Input[]; waited: boolean; files: number };
  /** How long the file was waiting. */
  waitedSeconds: number;
};

/** Takes the file up, unless another worker did or its job has ended. */
export async function claimFile(
  db: Database,
  { jobId, index, worker }: Omit<Turn, "tries">,
): Promise<Claim | undefined> {
  type Row = FileRow & {
    operation: TaskName;
    tier: TierName;
    steps: Step[];
    inputs: Input[];
    waited: boolean;
    files: number;
    waited_s: number;
  };
  const [row] = await rowsOf<Row>(
    db.execute(sql`
      with claimed as (
        update job_files set state = 'working', tries = tries + 1, worker = ${worker}, progress = 0, stage = null
        where job_id = ${jobId} and file_index = ${index}::int and state = 'waiting' and tries < ${maxTries}::int
        returning *)
      select f.*, j.operation, j.tier, j.steps, j.inputs, j.waited,
        extract(epoch from now() - f.waiting_since)::float8 as waited_s,
        (select count(*)::int from job_files where job_id = ${jobId}) as files
      from claimed f join jobs j on j.id = f.job_id`),
  );
  if (!row) return undefined;
  const { operation, tier, steps, inputs, waited, files } = row;
  return {
    turn: { jobId, index, worker, tries: row.tries },
    file: fileOf(row),
    job: { operation, tier, steps, inputs, waited, files },
    waitedSeconds: row.waited_s,
  };
}

/** The file's row is this turn's. */
const isMine = ({ jobId, index, worker, tries }: Turn) =>
  sql`f.job_id = ${jobId} and f.file_index = ${index}::int and f.state = 'working' and f.worker = ${worker}
    and f.tries = ${tries}::int`;

export async function isStillMine(db: Database, turn: Turn): Promise<boolean> {
  const rows = await rowsOf(db.execute(sql`select 1 from job_files f where ${isMine(turn)}`));
  return rows.length > 0;
}

export type Finished = Pick<JobRecord, "state" | "version" | "operation" | "waited" | "replay"> & { filesLeft: number };

/**
 * Writes how the file ended, and with the last file how the job ended. Undefined where the turn was lost: then nothing changed.
 * The job's row is locked before the file's, as everywhere.
 */
export async function finishFile(
  db: Queryable,
  turn: Turn,
  { ending, now, deleteAfter }: { ending: FileEnding; now: Date; deleteAfter: Date },
): Promise<Finished | undefined> {
  const good = ending.state === "done" || ending.state === "unchanged" ? 1 : 0;
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const [row] = await rowsOf<Omit<Finished, "filesLeft"> & { files_left: number }>(
    db.execute(sql`
      with job as (select id from jobs where id = ${turn.jobId} for update),
      done as (
        update job_files f set state = ${ending.state}, progress = 1, stage = null, output = ${ending.output ?? null},
          source = ${json(ending.source)}::jsonb, result = ${json(ending.result)}::jsonb,
          notes = ${JSON.stringify(ending.notes)}::jsonb, confidence = ${ending.confidence ?? null}::float8,
          reason = ${ending.reason ?? null}, code = ${ending.code ?? null},
          smallest_bytes = ${ending.smallestBytes ?? null}::int
        from job where f.job_id = job.id and ${isMine(turn)}
        returning f.file_index),
      told as (
        update jobs j set version = j.version + 1, files_left = j.files_left - 1, files_good = j.files_good + ${good}::int,
          state = case when j.files_left > 1 then 'running' when j.files_good + ${good}::int > 0 then 'done' else 'failed' end,
          finished_at = case when j.files_left > 1 then null else ${now.toISOString()}::timestamptz end,
          process = case when j.files_left > 1 or j.waited then j.process end
        from done where j.id = ${turn.jobId}
        returning j.state, j.version, j.operation, j.waited, j.replay, j.files_left),
      blobs as (
        update job_blobs set delete_after = ${deleteAfter.toISOString()}::timestamptz
        from told where job_id = ${turn.jobId} and told.files_left = 0)
      select * from told`),
  );
  if (!row) return undefined;
  const { files_left: filesLeft, ...rest } = row;
  return { ...rest, filesLeft };
}

/**
 * Lets a file go that the turn did not finish. `isLoss`: the engine was lost under it, which counts as a try; else the
 * try is taken back. Answers how the file stands then; undefined where the turn was lost.
 */
export async function releaseFile(
  db: Database,
  turn: Turn,
  { isLoss }: { isLoss: boolean },
): Promise<FileRecord | undefined> {
  const [row] = await rowsOf<FileRow>(
    db.execute(sql`
      update job_files f set state = 'waiting', worker = null, progress = 0, stage = null, waiting_since = now(),
        offered_at = now(), tries = f.tries - ${isLoss ? 0 : 1}::int
      where ${isMine(turn)} and (f.tries < ${maxTries}::int or not ${isLoss}::boolean)
      returning f.*`),
  );
  return row && fileOf(row);
}

/** A file in hand, and how far it has come. */
export type InHand = { turn: Turn; progress: number; stage: string | undefined };

/** Writes how far files have come; answers those turns that are still this worker's. */
export async function noteProgress(db: Database, worker: string, files: readonly InHand[]): Promise<Set<string>> {
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

/** Lets go of rows that name this worker while it does not have them in hand: their end could not be written. */
export async function releaseOrphans(
  db: Database,
  worker: string,
  inHand: readonly string[],
): Promise<{ jobId: string; file: FileRecord }[]> {
  const rows = await rowsOf<FileRow & { job_id: string }>(
    db.execute(sql`
      update job_files set state = 'waiting', worker = null, progress = 0, stage = null, waiting_since = now(),
        offered_at = now(), tries = tries - 1
      where state = 'working' and worker = ${worker} and job_id || '.' || file_index <> all(${sql.param(inHand)}::text[])
      returning *`),
  );
  return rows.map((row) => ({ jobId: row.job_id, file: fileOf(row) }));
}
