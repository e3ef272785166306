import { DomainError, errors, isFinal, type JobState } from "@tintype/contract";
import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Bus } from "../../platform/bus/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Database, rowsOf, type Transaction } from "../../platform/db/database.ts";
import type { Work, WorkClass } from "../../platform/work/work.ts";
import type { Ledger } from "../credits/ledger.ts";
import { type FileEnding, type FileRecord, fileIdOf, keptMs, offerOf, owedFiles, type Step } from "./job.ts";
import { type FileRow, fileOf } from "./job-row.ts";
import { tellRow, tellWorker } from "./messages.ts";
import { type Finished, finishFile, type Turn } from "./turns.ts";

export type Settling = {
  db: Database;
  clock: Clock;
  ledger: Ledger;
  blobs: Blobs;
  bus: Bus;
  work: Work;
  log: Pick<FastifyBaseLogger, "warn" | "error">;
  meter: {
    countFile(operation: string, outcome: string): void;
    countJob(operation: string, outcome: string): void;
    countLeaseLost(): void;
    countEngineLost(): void;
    observeWait(workClass: WorkClass, seconds: number): void;
  };
};

/** Names outlive the pictures of a job that failed by so much, for a caller that still waits for the answer. */
const readingMs = 5_000;

/**
 * The file's end; with the last file the job's end and the credits of what brought nothing, all in one transaction: neither
 * is ever seen without the other. Undefined where the turn was lost meanwhile: then nothing happened.
 */
export async function endFile(
  use: Settling,
  turn: Turn,
  { ending, isOnlyFile, steps }: { ending: FileEnding; isOnlyFile: boolean; steps: readonly Step[] },
): Promise<Finished | undefined> {
  const now = use.clock.now();
  const finish = { ending, now, deleteAfter: new Date(now.getTime() + keptMs(steps)) };
  // Nothing goes back: one statement is a transaction too.
  const finished =
    isOnlyFile && ending.state === "done"
      ? await finishFile(use.db, turn, finish)
      : await use.db.transaction(async (tx) => {
          const told = await finishFile(tx, turn, finish);
          if (told?.filesLeft === 0) await settleCredits(tx, use, { ...told, jobId: turn.jobId });
          return told;
        });
  if (!finished) return undefined;
  use.meter.countFile(finished.operation, ending.state);
  if (finished.filesLeft === 0) use.meter.countJob(finished.operation, finished.state);
  tellRow(use.bus, turn.jobId, { version: finished.version, isFinal: finished.filesLeft === 0 });
  if (finished.filesLeft === 0 && finished.state !== "done") await dropPictures(use, turn.jobId);
  return finished;
}

/** The job's row is locked. */
async function settleCredits(
  tx: Transaction,
  { ledger, clock }: Settling,
  { jobId, state, replay }: { jobId: string; state: JobState; replay: boolean },
): Promise<void> {
  const files = await rowsOf<FileRow>(
    tx.execute(sql`select * from job_files where job_id = ${jobId} order by file_index`),
  );
  const owed = replay ? [] : owedFiles(files.map(fileOf), state);
  const returned = owed.length === 0 ? 0 : await ledger.giveBack(tx, { jobId, files: owed });
  if (returned > 0) await tx.execute(sql`update jobs set charged = charged - ${returned}::int where id = ${jobId}`);
  if (state !== "done")
    await tx.execute(sql`
      update job_blobs set uploader = null, delete_after = ${new Date(clock.now().getTime() + readingMs).toISOString()}::timestamptz
      where job_id = ${jobId}`);
}

export type EarlyEnd = {
  state: "cancelled" | "failed";
  /** Told of each file that it ends. */
  code: "cancelled" | "interrupted" | "url-refused";
  /** The catalogue's sentence where it is left out. */
  reason?: string;
};

/**
 * Ends a job before its work is done: stops the work, drops the pictures, and returns the credits of files not delivered.
 * A job that ended meanwhile is left alone, unless its caller waited and got nothing: the connection is gone with its
 * process, or the result could not be sent to its address. Then what had not gone out whole goes back. Answers whether it ended it.
 */
export async function endEarly(
  use: Settling,
  jobId: string,
  { state, code, reason = errors[code].detail }: EarlyEnd,
): Promise<boolean> {
  const { db, clock, bus, work } = use;
  const ended = await db.transaction(async (tx) => {
    const [job] = await rowsOf<{
      state: JobState;
      replay: boolean;
      operation: string;
      removed: boolean;
      held: boolean;
    }>(
      tx.execute(sql`
        select state, replay, operation, removed_at is not null as removed, process is not null as held
        from jobs where id = ${jobId} for update`),
    );
    if (!job || job.removed) return undefined;
    const isOpen = !isFinal(job.state);
    if (code === "cancelled" ? !isOpen : !job.held || !(isOpen || job.state === "done")) return undefined;
    const which =
      code === "cancelled" ? sql`state in ('waiting', 'working')` : sql`state <> 'failed' and delivery <> 'whole'`;
    const files = await rowsOf<FileRow>(
      tx.execute(sql`
        with before as (select * from job_files where job_id = ${jobId} and ${which}),
        stopped as (
          update job_files f set state = ${code === "cancelled" ? "cancelled" : "failed"}, progress = 1, stage = null,
            result = null, code = ${code}, reason = ${reason}
          from before b where f.job_id = b.job_id and f.file_index = b.file_index)
        select * from before`),
    );
    const [row] = await rowsOf<{ version: number }>(
      tx.execute(sql`
        update jobs set state = ${state}, version = version + 1, files_left = 0, process = null,
          finished_at = ${clock.now().toISOString()}::timestamptz
        where id = ${jobId} returning version`),
    );
    await settleCredits(tx, use, { jobId, state, replay: job.replay });
    return { ...job, version: row?.version ?? 0, files: files.map(fileOf) };
  });
  if (!ended) return false;
  use.meter.countJob(ended.operation, state);
  tellRow(bus, jobId, { version: ended.version, isFinal: true });
  await takeOutOfWork({ bus, work }, jobId, ended.files);
  await dropPictures(use, jobId);
  return true;
}

async function takeOutOfWork(
  { bus, work }: Pick<Settling, "bus" | "work">,
  jobId: string,
  files: readonly FileRecord[],
): Promise<void> {
  const waiting = files.filter(({ state }) => state === "waiting");
  const workers = new Set(files.flatMap(({ state, worker }) => (state === "working" && worker ? [worker] : [])));
  for (const worker of workers) tellWorker(bus, worker, { stop: jobId });
  // A turn for a file that is no longer wanted fails at its claim.
  if (waiting.length > 0)
    await work
      .withdraw(waiting.map((file) => ({ ...offerOf(jobId, file), fileId: fileIdOf(jobId, file.index) })))
      .catch(() => {});
}

/** At once where the blobs answer; else the sweeper does it. The row that names them stays until the names are forgotten too. */
async function dropPictures({ blobs, log }: Settling, jobId: string): Promise<void> {
  await blobs
    .remove(jobId)
    .catch((problem: unknown) => log.warn({ err: problem, job: jobId }, "pictures stay for now"));
}

/** A file that two workers or engines were lost under. */
export const lostTwice = () => new DomainError("engine-failed");
