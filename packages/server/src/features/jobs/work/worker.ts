import { stat } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import type { PictureLimits } from "@tintype/imaging";
import { sql } from "drizzle-orm";
import type { Draft } from "../../../platform/blobs/blobs.ts";
import { rowsOf } from "../../../platform/db/database.ts";
import type { Disk } from "../../../platform/disk.ts";
import { EngineLost } from "../../../platform/engine.ts";
import type { EnginePool } from "../../../platform/engine-pool.ts";
import { withTimeout } from "../../../platform/with-timeout.ts";
import type { Consumer, Offer, WorkClass } from "../../../platform/work/work.ts";
import { admitResult, uncountedBytes } from "../limits/admission.ts";
import { countFreeWork, type FreeWorkLimits, requireFreeWork } from "../limits/free-work.ts";
import { takePreviewPart } from "../limits/preview-parts.ts";
import {
  type Claim,
  type ClaimedFile,
  claimNext,
  filesToYield,
  findOrphans,
  hasOtherWorker,
  noteProgress,
  ownsClaim,
  releaseFile,
  yieldFile,
} from "../queue/claims.ts";
import type { Lease } from "../queue/lease.ts";
import { blobsOf, type FileEnding, failureEnding, fileIdOf, keepsPictures, offerOf } from "../record/job.ts";
import { publishProgress, subscribeToWorker, type WorkerMessage } from "../record/messages.ts";
import { retrying } from "../record/retrying.ts";
import { endFile, type SettleDependencies } from "../settle/settle.ts";
import { type ProduceDependencies, produce } from "./produce.ts";

export type WorkerOptions = SettleDependencies & {
  /** The id of this process, whether its lease holds, and whether its engines take work. */
  lease: Pick<Lease, "id" | "isHeld" | "setTakesWork">;
  /** What engines read from and write to. */
  disk: Disk;
  classes: readonly WorkClass[];
  /** Engines for each of the classes. */
  pools: Partial<Record<WorkClass, Pick<EnginePool, "size" | "run" | "close">>>;
  limitsOf(tier: ClaimedFile["job"]["tier"]): PictureLimits;
  /** Limit of stored bytes, across all callers. */
  spoolBytes: number;
  freeWork: FreeWorkLimits;
  /** A file runs at least this long before it yields, doubled each time it has yielded. Default: 10 s. */
  sliceMs?: number;
  /** The name of a file's result. */
  nameResult: ProduceDependencies["nameResult"];
};

export type Worker = {
  /**
   * Asks whether the disk has room, writes the progress of files in work, stops those that another worker owns or that must yield, and releases rows that
   * are assigned to this worker but not running.
   */
  beat(): Promise<void>;
  /** Claims no further file, waits up to `graceMs` for those in work, then releases them. */
  close(options?: { graceMs?: number }): Promise<void>;
};

/** A file between its claim and its end. `engineMs`: engine time of this claim's finished steps. */
type FileInProgress = {
  claim: Claim;
  abort: AbortController;
  since: number;
  progress: number;
  stage: string | undefined;
  engineMs: number;
  yields: number;
  isYielding: boolean;
};

/** Progress of one file is published at most this often. A new stage is published at once. */
const publishGapMs = 150;
const defaultSliceMs = 10_000;
const longWaitSeconds = 1;
/** Rows of files that have run for less are not updated. */
const settledMs = 1_000;

/** Starts a consumer for each class, with one slot per engine of this machine. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { db, work, bus, blobs, lease, classes, pools, tracing } = options;
  /** Ids only: neither names of pictures nor callers. */
  const logOf = ({ claim: { jobId, index }, job: { requestId } }: ClaimedFile) =>
    options.log.child({ ...(requestId === null ? {} : { reqId: requestId }), job: jobId, file: index });
  const poolOf = (workClass: WorkClass) => {
    const pool = pools[workClass];
    if (!pool) throw new Error(`This process has no engines for files of class ${workClass}.`);
    return pool;
  };
  const sliceMs = options.sliceMs ?? defaultSliceMs;
  const inProgress = new Map<string, FileInProgress>();
  const claims = new Set<Promise<unknown>>();
  /** The first files that were held back because their queue has its share of the engines, or that yielded. */
  const heldBack = new Map<string, Offer>();
  let offers = 0;
  let isClosing = false;
  /** While the disk is full, no turn is taken. */
  let isDiskFull = false;

  /** Each finished turn frees one engine, and any of their turns takes the first file that may run. */
  const offerHeldBack = async () => {
    if (heldBack.size === 0 || isClosing) return;
    // Under ids of their own: a queue ignores an offer whose id has its turn, and that turn may be another file's.
    const next = [...heldBack.values()].map((offer) => ({
      ...offer,
      fileId: `${offer.fileId}-${lease.id}-${offers++}`,
    }));
    heldBack.clear();
    await work.offer(next).catch(() => {}); // the sweep offers them later
  };

  const claimFor = (workClass: WorkClass, fileId: string) => {
    const claiming = claimNext(db, { fileId, workClass, worker: lease.id }).then((outcome) => {
      if (outcome.kind !== "claimed") return outcome;
      const { claim, file } = outcome.claimed;
      const current: FileInProgress = {
        claim,
        abort: new AbortController(),
        since: performance.now(),
        progress: 0,
        stage: undefined,
        engineMs: 0,
        yields: file.yields,
        isYielding: false,
      };
      inProgress.set(fileIdOf(claim.jobId, claim.index), current);
      return { ...outcome, current };
    });
    claims.add(claiming);
    return claiming.finally(() => claims.delete(claiming));
  };

  /** A turn belongs to whichever file is next, not to the one that it was offered for. */
  const handle = async (workClass: WorkClass, offeredId: string) => {
    if (isClosing || isDiskFull) return;
    const outcome = await claimFor(workClass, offeredId);
    if (outcome.kind === "nothing") return;
    for (const offer of outcome.next) heldBack.set(offer.fileId, offer);
    if (outcome.kind === "held-back") {
      if (outcome.left.length > 0) await work.withdraw(outcome.left);
      return;
    }
    const { claimed, current } = outcome;
    const fileId = fileIdOf(claimed.claim.jobId, claimed.claim.index);
    heldBack.delete(fileId);
    try {
      options.meter.observeWait(claimed.file.class, claimed.waitedSeconds);
      await traced(claimed, current).finally(() => setImmediate(() => void offerHeldBack()));
    } finally {
      inProgress.delete(fileId);
    }
  };

  /** Releases rows that are assigned to this worker but not running: their end could not be written. */
  const releaseOrphans = async () => {
    const orphans = await findOrphans(db, lease.id, [...inProgress.keys()]);
    if (orphans.length === 0) return;
    // A claim whose response is still on its way is no orphan.
    await Promise.allSettled(claims);
    for (const { jobId, index, tries } of orphans) {
      if (inProgress.has(fileIdOf(jobId, index))) continue;
      const released = await releaseFile(db, { jobId, index, tries, worker: lease.id }, { isLoss: false });
      if (released) await work.offer([offerOf(jobId, released)]).catch(() => {});
    }
  };

  const traced = (claimed: ClaimedFile, current: FileInProgress) => {
    const { claim, job } = claimed;
    const attributes = {
      "tintype.job": claim.jobId,
      "tintype.file": claim.index,
      "tintype.operation": job.operation,
      "tintype.waited_ms": Math.round(claimed.waitedSeconds * 1000),
      ...(job.requestId === null ? {} : { "tintype.request_id": job.requestId }),
    };
    return tracing.span("picture", { kind: "consumer", parent: job.traceparent, attributes }, async (add) => {
      const ending = await workOn(claimed, current);
      if (ending)
        add({ "tintype.state": ending.state, ...(ending.code === undefined ? {} : { "error.type": ending.code }) });
    });
  };

  /** The end that was recorded; undefined if the file was left to another claim. */
  const workOn = async (claimed: ClaimedFile, current: FileInProgress): Promise<FileEnding | undefined> => {
    const { claim, job, file } = claimed;
    publishProgress(bus, claim.jobId, { index: claim.index, progress: 0 });
    const ending = await produceFor(claimed, current).catch((problem: unknown) =>
      endingAfter(problem, claimed, current),
    );
    if (!ending) return undefined;
    const isOnlyFile = job.files === 1;
    const end = { ending, engineMs: current.engineMs, isOnlyFile, isCharged: job.charged > 0, steps: job.steps };
    const finished = await retrying(() => endFile(options, claim, end));
    // Another worker owns the file now, or its job has ended: discard this try's blobs.
    if (!finished) {
      const kept = ending.result?.kept;
      const names = [ending.output, ...(kept ? blobsOf(kept) : [])];
      const stale = new Set(names.filter((name) => name !== undefined && name !== file.input));
      for (const name of stale) await blobs.remove(claim.jobId, name).catch(() => {});
      return undefined;
    }
    logOf(claimed).info(
      {
        operation: job.operation,
        state: ending.state,
        ...(ending.code === undefined ? {} : { code: ending.code }),
        ms: Math.round(performance.now() - current.since),
        engineMs: Math.round(current.engineMs),
        waitedMs: Math.round(claimed.waitedSeconds * 1000),
      },
      "picture",
    );
    // Frees storage for the rest of the batch. A single file's input is deleted together with its result a moment later.
    if (!keepsPictures(job.steps) && !(isOnlyFile && job.waited) && finished.filesLeft > 0)
      await blobs.remove(claim.jobId, file.input).catch(() => {});
    return ending;
  };

  /** How the file failed; undefined if it was stopped, or left to another claim. */
  const endingAfter = async (
    problem: unknown,
    claimed: ClaimedFile,
    current: FileInProgress,
  ): Promise<FileEnding | undefined> => {
    const { claim, job } = claimed;
    const { engineMs } = current;
    if (current.abort.signal.aborted) {
      const released = current.isYielding ? await retrying(() => yieldFile(db, claim, { engineMs })) : undefined;
      if (released) heldBack.set(fileIdOf(claim.jobId, claim.index), offerOf(claim.jobId, released));
      else await countStopped(claimed, engineMs);
      return undefined;
    }
    // A full disk fails in many ways, in the store as in an engine, so the disk itself is asked.
    if (isFaultOfOurs(problem) && (await checkDisk())) {
      const canPassOn = await hasOtherWorker(db, lease.id, claimed.file.class);
      const released = canPassOn && (await retrying(() => releaseFile(db, claim, { isLoss: false })));
      if (released) {
        await work.offer([offerOf(claim.jobId, released)]).catch(() => {}); // the sweep offers it later
        return undefined;
      }
      return failureEnding(new DomainError("unavailable", { cause: problem, retryAfterSeconds: 60 }));
    }
    const isInterrupted = isClosing && problem instanceof DomainError && problem.code === "interrupted";
    if (problem instanceof EngineLost) options.meter.countEngineLost();
    if (isInterrupted || problem instanceof EngineLost) {
      const released = await retrying(() => releaseFile(db, claim, { isLoss: !isInterrupted, engineMs }));
      if (released) await work.offer([offerOf(claim.jobId, released)]).catch(() => {});
      if (released || isInterrupted) return undefined;
    }
    const ending = failureEnding(problem);
    const cause = problem instanceof Error ? problem.cause : undefined;
    if (ending.code === "engine-failed" || ending.code === "not-installed" || ending.code === "unavailable")
      logOf(claimed).error({ err: problem, cause, operation: job.operation }, "a picture failed");
    return ending;
  };

  const isFaultOfOurs = (problem: unknown) =>
    !(problem instanceof DomainError) || problem.code === "unavailable" || problem.code === "engine-failed";

  /** Asks the disk, and stops or starts taking turns. Returns whether it is full. */
  const checkDisk = async (): Promise<boolean> => {
    const isFull = await options.disk.isFull().catch((problem: unknown) => {
      options.log.warn({ err: problem }, "cannot tell how much room the disk has");
      return isDiskFull;
    });
    if (isFull === isDiskFull || isClosing) return isFull;
    isDiskFull = isFull;
    if (isFull) {
      options.log.error({}, "the disk is full: this process takes no work until there is room, and passes its own on");
      // They wait for the turns in progress, of which this may be one.
      for (const consumer of consumers.splice(0)) ending.add(consumer.close());
    } else {
      options.log.info({}, "the disk has room again: this process takes work");
      consumers.push(...classes.map(consume));
    }
    await lease
      .setTakesWork(!isFull)
      .catch((problem: unknown) => options.log.warn({ err: problem }, "cannot tell others about the engines"));
    return isFull;
  };

  /** Counts the engine time of a file whose job was cancelled meanwhile: the refund happened before this claim's time was known. */
  const countStopped = async ({ claim, job, file }: ClaimedFile, engineMs: number) => {
    const [row] = await rowsOf(
      db.execute(sql`
        select 1 from job_files
        where job_id = ${claim.jobId} and file_index = ${claim.index}::int and state = 'cancelled'`),
    );
    const { owner } = job;
    if (row) await countFreeWork(db, { owner, network: file.network, engineMs, now: options.clock.now() });
  };

  const produceFor = async (claimed: ClaimedFile, current: FileInProgress): Promise<FileEnding> => {
    const { claim, file, job } = claimed;
    // The budget may have been used up since admission. A file that did not wait was checked a moment ago.
    if (claimed.waitedSeconds > longWaitSeconds)
      await requireFreeWork(db, {
        owner: job.owner,
        network: file.network,
        limits: options.freeWork,
        now: options.clock.now(),
      });
    return produce(claimed, {
      blobs,
      run: (work) =>
        tracing.span("engine", { attributes: { "tintype.task": work.task.name } }, () =>
          poolOf(file.class).run({ ...work, log: logOf(claimed) }),
        ),
      limits: options.limitsOf(job.tier),
      signal: current.abort.signal,
      progress: (fraction, stage) => note(claim, current, fraction, stage),
      countEngineMs(ms) {
        current.engineMs += ms;
      },
      takePreviewPart: (part) =>
        retrying(() =>
          takePreviewPart(db, { ...part, owner: job.owner, network: file.network, now: options.clock.now() }),
        ),
      store: (drafts) => store(drafts, claimed, current),
      nameResult: options.nameResult,
    });
  };

  /** Stores a result, and the blobs kept with it. @throws full */
  const store = async (drafts: readonly Draft[], { claim, file }: ClaimedFile, current: FileInProgress) => {
    const sizes = await Promise.all(drafts.map(async ({ path }) => (await stat(path)).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0) - file.sizeBytes;
    if (bytes > uncountedBytes) await retrying(() => admitResult(options, { jobId: claim.jobId, bytes }));
    await requireLease(claim, current);
    for (const draft of drafts) await retrying(() => draft.commit());
  };

  /** If this process was paused, its lease may have expired, and another may have stored a result. */
  const requireLease = async (claim: Claim, current: FileInProgress) => {
    if (lease.isHeld() || (await retrying(() => ownsClaim(db, claim)))) return;
    current.abort.abort();
    throw new DomainError("cancelled");
  };

  const lastPublished = new WeakMap<FileInProgress, { at: number; stage: string | undefined }>();
  const note = ({ jobId, index }: Claim, current: FileInProgress, fraction: number, stage: string | undefined) => {
    current.progress = Math.min(1, Math.max(current.progress, fraction));
    current.stage = stage;
    const now = performance.now();
    const last = lastPublished.get(current);
    if (last && last.stage === stage && now - last.at < publishGapMs) return;
    lastPublished.set(current, { at: now, stage });
    publishProgress(bus, jobId, { index, progress: current.progress, ...(stage === undefined ? {} : { stage }) });
  };

  const stop = ({ stop: jobId, index }: WorkerMessage) => {
    for (const { claim, abort } of inProgress.values())
      if (claim.jobId === jobId && (index === undefined || claim.index === index)) abort.abort();
  };
  /** Stops one file that has used its slice while others wait: the one that loses the least work. */
  const yieldToOthers = async () => {
    const longEnough = [...inProgress].flatMap(([fileId, { since, yields, isYielding }]) => {
      const ranMs = performance.now() - since;
      return !isYielding && ranMs >= sliceMs * 2 ** yields ? [{ fileId, ranMs }] : [];
    });
    if (longEnough.length === 0 || isClosing) return;
    const yielding = await filesToYield(
      db,
      lease.id,
      longEnough.map(({ fileId }) => fileId),
    );
    const [shortest] = longEnough.filter(({ fileId }) => yielding.has(fileId)).toSorted((a, b) => a.ranMs - b.ranMs);
    const current = shortest && inProgress.get(shortest.fileId);
    if (!current) return;
    current.isYielding = true;
    current.abort.abort();
  };
  const unsubscribe = await subscribeToWorker(bus, lease.id, stop);
  const consume = (workClass: WorkClass) =>
    work.consume(workClass, { concurrency: poolOf(workClass).size, handle: (fileId) => handle(workClass, fileId) });
  /** Consumers that were closed because the disk is full. */
  const ending = new Set<Promise<void>>();
  const consumers: Consumer[] = [];
  if (!(await checkDisk())) consumers.push(...classes.map(consume));

  return {
    async beat() {
      await checkDisk();
      const old = [...inProgress.values()].flatMap(({ claim, since, progress, stage }) =>
        performance.now() - since > settledMs ? [{ claim, progress, stage }] : [],
      );
      if (old.length > 0) {
        const mine = await noteProgress(db, lease.id, old);
        for (const { claim } of old) {
          const fileId = fileIdOf(claim.jobId, claim.index);
          const current = inProgress.get(fileId);
          if (!mine.has(fileId) && current?.claim === claim) current.abort.abort();
        }
      }
      await yieldToOthers();
      await offerHeldBack();
      await releaseOrphans();
    },
    async close({ graceMs = 0 } = {}) {
      isClosing = true;
      const ended = Promise.all([...ending, ...consumers.map((consumer) => consumer.close())]);
      await withTimeout(graceMs, ended).catch(() => {}); // those left are ended below
      // Closing the pools ends the engines, which releases their files.
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
      await ended;
      unsubscribe();
    },
  };
}
