import { stat } from "node:fs/promises";
import { costsCredits, DomainError } from "@tintype/contract";
import type { PictureLimits } from "@tintype/imaging";
import type { Draft } from "../../../platform/blobs/blobs.ts";
import { EngineLost } from "../../../platform/engine.ts";
import type { EnginePool } from "../../../platform/engine-pool.ts";
import { hashFile } from "../../../platform/hash-file.ts";
import type { Offer, WorkClass } from "../../../platform/work/work.ts";
import { admitResult, uncountedBytes } from "../limits/admission.ts";
import { countFreeWork, type FreeWorkLimits, requireFreeWork } from "../limits/free-work.ts";
import { takePreviewPart } from "../limits/preview-parts.ts";
import type { Lease } from "../queue/lease.ts";
import { type ClaimedFile, hasOtherWorker, isCancelled, ownsClaim, releaseFile, yieldFile } from "../queue/store.ts";
import { blobsOf, type FileEnding, type FileRecord, failureEnding, keepsPictures, offerOf } from "../record/job.ts";
import { publishProgress } from "../record/messages.ts";
import { retrying } from "../record/retrying.ts";
import { endFile, type SettleDependencies } from "../settle/settle.ts";
import { type FileInWork, idOf, reportProgress } from "./files-in-work.ts";
import { type ProduceDependencies, produce } from "./produce.ts";

export type FileWorkOptions = SettleDependencies & {
  /** The id of this process, and whether its lease holds. */
  lease: Pick<Lease, "id" | "isHeld">;
  /** Engines for each class that this process consumes. */
  pools: Partial<Record<WorkClass, Pick<EnginePool, "size" | "run" | "close">>>;
  limitsOf(tier: ClaimedFile["job"]["tier"]): PictureLimits;
  /** Limit of stored bytes, across all callers. */
  spoolBytes: number;
  freeWork: FreeWorkLimits;
  nameResult: ProduceDependencies["nameResult"];
};

type FileWork = FileWorkOptions & {
  isClosing(): boolean;
  isDiskFull(): Promise<boolean>;
  /** Receives a file that yielded. */
  heldBack: Map<string, Offer>;
};

const longWaitSeconds = 1;

/** Ids only: neither names of pictures nor callers. */
const logOf = ({ log }: FileWorkOptions, { claim: { jobId, index }, job: { requestId } }: FileInWork) =>
  log.child({ ...(requestId === null ? {} : { reqId: requestId }), job: jobId, file: index });

export function poolOf({ pools }: Pick<FileWorkOptions, "pools">, workClass: WorkClass) {
  const pool = pools[workClass];
  if (!pool) throw new Error(`This process has no engines for files of class ${workClass}.`);
  return pool;
}

/** Works on a claimed file until its end, or until it is left to another claim. */
export function workOnFile(current: FileInWork, worker: FileWork): Promise<void> {
  const { claim, job, waitedSeconds } = current;
  const attributes = {
    "tintype.job": claim.jobId,
    "tintype.file": claim.index,
    "tintype.operation": job.operation,
    "tintype.waited_ms": Math.round(waitedSeconds * 1000),
    ...(job.requestId === null ? {} : { "tintype.request_id": job.requestId }),
  };
  return worker.tracing.span("picture", { kind: "consumer", parent: job.traceparent, attributes }, async (add) => {
    publishProgress(worker.bus, claim.jobId, { index: claim.index, progress: 0 });
    const ending = await produceFile(current, worker).catch((problem: unknown) =>
      endingAfter(problem, current, worker),
    );
    if (ending && (await recordEnding(ending, current, worker)))
      add({ "tintype.state": ending.state, ...(ending.code === undefined ? {} : { "error.type": ending.code }) });
  });
}

async function produceFile(current: FileInWork, worker: FileWork): Promise<FileEnding> {
  const { db, blobs, clock, tracing } = worker;
  const { file, job } = current;
  const freeWorker = { owner: job.owner, network: file.network };
  // The budget may have been used up since admission. A file that did not wait was checked a moment ago.
  if (current.waitedSeconds > longWaitSeconds)
    await requireFreeWork(db, { ...freeWorker, limits: worker.freeWork, now: clock.now() });
  return produce(current, {
    blobs,
    run: (run) =>
      tracing.span("engine", { attributes: { "tintype.task": run.task.name } }, () =>
        poolOf(worker, file.class).run({ ...run, log: logOf(worker, current) }),
      ),
    limits: worker.limitsOf(job.tier),
    signal: current.abort.signal,
    progress: (fraction, stage) => reportProgress(worker.bus, current, fraction, stage),
    countEngineMs(ms) {
      current.engineMs += ms;
    },
    takePreviewPart: (part) => retrying(() => takePreviewPart(db, { ...part, ...freeWorker, now: clock.now() })),
    store: (drafts) => storeDrafts(drafts, current, worker),
    nameResult: worker.nameResult,
  });
}

/** Stores a result, and the blobs kept with it. @throws full */
async function storeDrafts(drafts: readonly Draft[], current: FileInWork, worker: FileWork): Promise<void> {
  const { claim, file } = current;
  const sizes = await Promise.all(drafts.map(async ({ path }) => (await stat(path)).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0) - file.sizeBytes;
  if (bytes > uncountedBytes) await retrying(() => admitResult(worker, { jobId: claim.jobId, bytes }));
  // If this process was paused, its lease may have expired, and another may have stored a result.
  if (!worker.lease.isHeld() && !(await retrying(() => ownsClaim(worker.db, claim)))) {
    current.abort.abort();
    throw new DomainError("cancelled");
  }
  const [result] = drafts;
  if (result && (isCharged(current) || file.chain)) current.sha256 = await hashFile(result.path, "hex");
  for (const draft of drafts) await retrying(() => draft.commit());
}

/** A charged file pays for it, for as many steps as a recipe has. Edits are free, and as many as one likes. */
const isContinued = ({ job, file }: Pick<FileInWork, "job" | "file">) =>
  file.chain !== undefined && costsCredits(job.operation);

const isCharged = ({ job, file }: Pick<FileInWork, "job" | "file">) => job.charged > 0 && !file.chain;

/** Returns whether the end was recorded. Otherwise another worker owns the file now, or its job has ended. */
async function recordEnding(ending: FileEnding, current: FileInWork, worker: FileWork): Promise<boolean> {
  const { claim, job, file, engineMs } = current;
  const isOnlyFile = job.files === 1;
  const end = {
    ending,
    engineMs,
    isOnlyFile,
    isCharged: isCharged(current) || isContinued(current),
    steps: job.steps,
    chain: file.chain,
    sha256: current.sha256,
  };
  const finished = await retrying(() => endFile(worker, claim, end));
  if (!finished) {
    const kept = ending.result?.kept;
    const stored = new Set([ending.output, ...(kept ? blobsOf(kept) : [])]);
    for (const name of stored)
      if (name !== undefined && name !== file.input) await worker.blobs.remove(claim.jobId, name).catch(() => {});
    return false;
  }
  logOf(worker, current).info(
    {
      operation: job.operation,
      state: ending.state,
      ...(ending.code === undefined ? {} : { code: ending.code }),
      ms: Math.round(performance.now() - current.since),
      engineMs: Math.round(engineMs),
      waitedMs: Math.round(current.waitedSeconds * 1000),
    },
    "picture",
  );
  // Frees storage for the rest of the batch. A single file's input is deleted together with its result a moment later.
  if (!keepsPictures(job.steps) && !(isOnlyFile && job.waited) && finished.filesLeft > 0)
    await worker.blobs.remove(claim.jobId, file.input).catch(() => {});
  return true;
}

/** How the file failed; undefined if it was stopped, or left to another claim. */
async function endingAfter(problem: unknown, current: FileInWork, worker: FileWork): Promise<FileEnding | undefined> {
  const { db, meter } = worker;
  const { job, file, engineMs } = current;
  if (current.abort.signal.aborted) return endStopped(current, worker);
  // A full disk fails in many ways, in the store as in an engine, so the disk itself is asked.
  if (isFaultOfOurs(problem) && (await worker.isDiskFull())) {
    const canPassOn = await hasOtherWorker(db, worker.lease.id, file.class);
    if (canPassOn && (await passOn(current, worker, { isLoss: false }))) return undefined;
    return failureEnding(new DomainError("unavailable", { cause: problem, retryAfterSeconds: 60 }));
  }
  const isInterrupted = worker.isClosing() && problem instanceof DomainError && problem.code === "interrupted";
  const isEngineLost = problem instanceof EngineLost;
  if (isEngineLost) meter.countEngineLost();
  if (isInterrupted || isEngineLost) {
    const released = await passOn(current, worker, { isLoss: !isInterrupted, engineMs });
    if (released || isInterrupted) return undefined;
  }
  const ending = failureEnding(problem);
  const cause = problem instanceof Error ? problem.cause : undefined;
  if (ending.code === "engine-failed" || ending.code === "not-installed" || ending.code === "unavailable")
    logOf(worker, current).error({ err: problem, cause, operation: job.operation }, "a picture failed");
  return ending;
}

const isFaultOfOurs = (problem: unknown) =>
  !(problem instanceof DomainError) || problem.code === "unavailable" || problem.code === "engine-failed";

/** A stopped file yields to others, or its claim was lost or its job cancelled. */
async function endStopped(current: FileInWork, { db, clock, heldBack }: FileWork): Promise<undefined> {
  const { claim, job, file, engineMs } = current;
  const released = current.isYielding ? await retrying(() => yieldFile(db, claim, { engineMs })) : undefined;
  if (released) heldBack.set(idOf(current), offerOf(claim.jobId, released));
  // The refund happened before this claim's time was known.
  else if (await isCancelled(db, claim))
    await countFreeWork(db, { owner: job.owner, network: file.network, engineMs, now: clock.now() });
}

/** Leaves the file to another claim. Undefined if this one was lost, or the file has no try left. */
async function passOn(
  { claim }: FileInWork,
  { db, work }: FileWork,
  how: Parameters<typeof releaseFile>[2],
): Promise<FileRecord | undefined> {
  const released = await retrying(() => releaseFile(db, claim, how));
  if (released) await work.offer([offerOf(claim.jobId, released)]).catch(() => {}); // the sweep offers it later
  return released;
}
