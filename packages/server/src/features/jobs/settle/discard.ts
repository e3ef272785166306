import { DomainError, isFinal, type Reason } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { rowsOf, type Transaction } from "../../../platform/db/database.ts";
import { discarded as discardedReason } from "../../credits/ledger.ts";
import { countFreeWork } from "../limits/free-work.ts";
import { blobsOf, type FileRecord, placeOf, succeeded } from "../record/job.ts";
import { type FileRow, fileOf } from "../record/job-row.ts";
import { publishRow } from "../record/messages.ts";
import { claimedByOthers, refundUndelivered } from "./refund.ts";
import { dropPictures } from "./remove-pictures.ts";
import { lockJob, type SettleDependencies } from "./settle.ts";

/**
 * Discards a finished cut-out that may lack a large part of a person and was neither downloaded nor edited. The
 * transaction that ends the file refunds its credit, its engine time counts as free work, and its pictures are deleted. A
 * delivery locks the same job row, so the first to lock it wins. Returns whether the job has no files left and its
 * pictures are removed; undefined if the file had failed or was already cancelled or discarded.
 * @throws not-flagged, already-delivered, gone; conflict when another job of the same key still has the result
 */
export async function discardFile(
  dependencies: SettleDependencies,
  jobId: string,
  index: number,
): Promise<{ isRemoved: boolean } | undefined> {
  const { db, clock, bus } = dependencies;
  const now = clock.now();
  const ended = await db.transaction(async (tx) => {
    const job = await lockJob(tx, jobId);
    const [row] = await rowsOf<FileRow>(
      tx.execute(sql`select * from job_files where job_id = ${jobId} and file_index = ${index}::int`),
    );
    if (!job || !row) throw new DomainError("not-found");
    const file = fileOf(row);
    if (!succeeded(file)) return undefined;
    if (!file.result?.incomplete) throw new DomainError("not-flagged");
    if (
      file.delivery !== "none" ||
      (await wasDeliveredByRepeat(tx, { jobId, index, charged: job.charge_job_id ?? jobId }))
    )
      throw new DomainError("already-delivered");
    if (job.removed || job.state === "cancelled") throw new DomainError("gone");
    const claimed = await claimedByOthers(tx, { jobId, charged: job.charge_job_id ?? jobId });
    if (claimed.has(index))
      throw new DomainError("conflict", { detail: "Another job of this Idempotency-Key has the same result." });
    await tx.execute(sql`
      update job_files set state = 'cancelled', result = null, output = null, code = 'discarded',
        reason = ${JSON.stringify({ code: "discarded" } satisfies Reason)}::jsonb
      where job_id = ${jobId} and file_index = ${index}::int`);
    const [written] = await rowsOf<{ version: number; is_empty: boolean }>(
      tx.execute(sql`
        update jobs set version = version + 1, files_good = files_good - 1 where id = ${jobId}
        returning version, not exists (select 1 from job_files f
          where f.job_id = ${jobId} and f.state in ('waiting', 'working', 'done', 'unchanged')) as is_empty`),
    );
    const files = [{ ...file, state: "cancelled" as const, reason: discardedReason }];
    await refundUndelivered(tx, { jobId, state: job.state, chargeJobId: job.charge_job_id, files }, dependencies);
    // The time of a free file was counted when it ended.
    if (job.charged > 0)
      await countFreeWork(tx, { owner: job.owner, network: row.network, engineMs: row.engine_ms, now });
    return { state: job.state, file, version: written?.version ?? 0, isEmpty: written?.is_empty ?? false };
  });
  if (!ended) return undefined;
  publishRow(bus, jobId, { version: ended.version, isFinal: isFinal(ended.state) });
  if (ended.isEmpty) return { isRemoved: await dropPictures(dependencies, jobId) };
  await dropPicturesOf(dependencies, jobId, ended.file);
  return { isRemoved: false };
}

/** Whether another job of the same Idempotency-Key has delivered the file: one charge pays for all of them. */
async function wasDeliveredByRepeat(
  tx: Transaction,
  { jobId, index, charged }: { jobId: string; index: number; charged: string },
): Promise<boolean> {
  const rows = await rowsOf(
    tx.execute(sql`
      select 1 from jobs j join job_files f on f.job_id = j.id and f.file_index = ${index}::int
      where j.id <> ${jobId} and (j.id = ${charged} or j.charge_job_id = ${charged}) and f.delivery <> 'none' limit 1`),
  );
  return rows.length > 0;
}

/** Removes one file's pictures. Whatever the store fails to remove now is removed with the job's. */
async function dropPicturesOf({ blobs, log }: SettleDependencies, jobId: string, file: FileRecord): Promise<void> {
  const { input, output, result } = file;
  const names = new Set([
    input,
    ...(output === undefined ? [] : [output]),
    ...(result?.kept ? blobsOf(result.kept) : []),
  ]);
  for (const blob of names) {
    const place = placeOf(jobId, blob);
    await blobs
      .remove(place.jobId, place.name)
      .catch((problem: unknown) => log.warn({ err: problem, job: jobId }, "cannot delete a discarded image yet"));
  }
}
