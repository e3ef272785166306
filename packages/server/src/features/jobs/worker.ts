import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { DomainError, timeLimitsOf } from "@tintype/contract";
import {
  addStep,
  type EngineTask,
  nameStep,
  type Outcome,
  type PictureFacts,
  type PictureLimits,
  type Task,
} from "@tintype/imaging";
import type { Checkout, Draft } from "../../platform/blobs/blobs.ts";
import { EngineLost } from "../../platform/engine.ts";
import type { EnginePool } from "../../platform/engine-pool.ts";
import type { Taker, WorkClass } from "../../platform/work/work.ts";
import { admitResult, uncountedBytes } from "./admission.ts";
import {
  askedSteps,
  endingOf,
  type FileEnding,
  type FileRecord,
  failureEnding,
  fileIdOf,
  type Input,
  keepsCutOut,
  keepsPictures,
  offerOf,
  placeOf,
  readFileId,
  testStep,
} from "./job.ts";
import { hearWorker, tellProgress } from "./messages.ts";
import { retrying } from "./retrying.ts";
import { endFile, type Settling } from "./settle.ts";
import { type Claim, claimFile, isStillMine, noteProgress, releaseFile, releaseOrphans, type Turn } from "./turns.ts";

export type WorkerOptions = Settling & {
  /** The id of this process, and whether others may take it for dead. */
  lease: { id: string; isHeld(): boolean };
  classes: readonly WorkClass[];
  /** Engines for each of the classes. */
  pools: Partial<Record<WorkClass, Pick<EnginePool, "size" | "run" | "close">>>;
  limitsOf(tier: Claim["job"]["tier"]): PictureLimits;
  /** Bytes of pictures of everybody. */
  spoolBytes: number;
  /** The name of a file's result. */
  nameResult(job: Pick<Claim["job"], "steps">, file: FileRecord, result: PictureFacts): string;
};

export type Worker = {
  /** Writes how far files in hand have come, stops those that are no longer this worker's, and lets go of what slipped out of its hands. */
  beat(): Promise<void>;
  /** Takes no further file, and waits `graceMs` for those in hand; then they are handed back. */
  close(options?: { graceMs?: number }): Promise<void>;
};

/** A file between its claim and its end. */
type Hand = { turn?: Turn; abort: AbortController; since: number; progress: number; stage: string | undefined };

/** Progress of one file is told at most this often; what is being done is told at once. */
const tellGapMs = 150;
/** A file in hand for less is not written down again. */
const settledMs = 1_000;

/** Works on files of some classes, in engine processes of this machine, one turn a free engine. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { db, work, bus, blobs, lease, classes, pools, log } = options;
  const poolOf = (workClass: WorkClass) => {
    const pool = pools[workClass];
    if (!pool) throw new Error(`This process has no engines for files of class ${workClass}.`);
    return pool;
  };
  const hands = new Map<string, Hand>();
  let isClosing = false;

  const handle = async (fileId: string) => {
    // The queue may hand the same file out twice.
    if (hands.has(fileId) || isClosing) return;
    const hand: Hand = { abort: new AbortController(), since: performance.now(), progress: 0, stage: undefined };
    hands.set(fileId, hand);
    try {
      const claim = await claimFile(db, { ...readFileId(fileId), worker: lease.id });
      if (!claim) return;
      hand.turn = claim.turn;
      options.meter.observeWait(claim.file.class, claim.waitedSeconds);
      await workOn(claim, hand);
    } finally {
      hands.delete(fileId);
    }
  };

  const workOn = async (claim: Claim, hand: Hand) => {
    const { turn, job, file } = claim;
    tellProgress(bus, turn.jobId, { index: turn.index, progress: 0 });
    const ending = await produce(claim, hand).catch((problem: unknown) => endingAfter(problem, claim, hand));
    if (!ending) return;
    const isOnlyFile = job.files === 1;
    const finished = await retrying(() => endFile(options, turn, { ending, isOnlyFile, steps: job.steps }));
    // Another worker has the file now, or its job has ended: the blob of this try is no result.
    if (!finished) {
      const { cutOut, original } = ending.result?.kept ?? {};
      const made = new Set(
        [ending.output, cutOut, original].filter((name) => name !== undefined && name !== file.input),
      );
      for (const name of made) await blobs.remove(turn.jobId, name).catch(() => {});
      return;
    }
    // Room for the rest; what the only file leaves goes in a moment with its result.
    if (!keepsPictures(job.steps) && !(isOnlyFile && job.waited) && finished.filesLeft > 0)
      await blobs.remove(turn.jobId, file.input).catch(() => {});
  };

  /** The picture's failure; undefined where the file was stopped, or left to another turn. */
  const endingAfter = async (problem: unknown, { turn, job }: Claim, hand: Hand): Promise<FileEnding | undefined> => {
    if (hand.abort.signal.aborted) return undefined;
    const isInterrupted = isClosing && problem instanceof DomainError && problem.code === "interrupted";
    if (problem instanceof EngineLost) options.meter.countEngineLost();
    if (isInterrupted || problem instanceof EngineLost) {
      const released = await retrying(() => releaseFile(db, turn, { isLoss: !isInterrupted }));
      if (released) await work.offer([offerOf(turn.jobId, released)]).catch(() => {});
      if (released || isInterrupted) return undefined;
    }
    const ending = failureEnding(problem);
    const cause = problem instanceof Error ? problem.cause : undefined;
    if (ending.code === "engine-failed" || ending.code === "unavailable")
      log.error({ err: problem, cause, job: turn.jobId, operation: job.operation }, "a picture failed");
    return ending;
  };

  const produce = async (claim: Claim, hand: Hand): Promise<FileEnding> => {
    const { turn, file, job } = claim;
    const { jobId, index, tries } = turn;
    // Each try has a name of its own: a worker that was taken for dead never overwrites a newer result.
    const output = `out-${index}-${tries}`;
    const checkouts: Checkout[] = [];
    const drafts: Draft[] = [];
    const checkout = async (name: string) => {
      const taken = await retrying(() => blobs.checkout(placeOf(jobId, name)));
      checkouts.push(taken);
      return taken.path;
    };
    try {
      const input = await checkout(file.input);
      const inputPaths: Partial<Record<`${Input["role"]}Path`, string>> = {};
      for (const { role, blob } of job.inputs) inputPaths[`${role}Path`] = await checkout(blob);
      const keeping = keepsCutOut(job.steps)
        ? { cutOut: `cut-${index}-${tries}`, original: `from-${index}-${tries}` }
        : undefined;
      let committed: Draft | undefined;
      let before: Draft | undefined;
      let keptBeside: Draft | undefined;
      let path = input;
      let standsFor: Task["standsFor"];
      let sum: Outcome | undefined;
      let last: Outcome | undefined;
      for (const [i, { operation, options: chosen }] of job.steps.entries()) {
        // The picture that a cut-out is made of stays for its edits.
        const isBeforeCutOut = keeping !== undefined && i + 2 === job.steps.length;
        const draft = await retrying(() => blobs.draft({ jobId, name: isBeforeCutOut ? keeping.original : output }));
        drafts.push(draft);
        const beside =
          keeping && i + 1 === job.steps.length
            ? await retrying(() => blobs.draft({ jobId, name: keeping.cutOut }))
            : undefined;
        if (beside) drafts.push(beside);
        const task: Task = {
          ...{ name: operation, options: chosen, inputPath: path, outputPath: draft.path },
          ...inputPaths,
          ...(beside ? { keptPath: beside.path } : {}),
          limits: options.limitsOf(job.tier),
          isIntermediate: i + 1 < job.steps.length,
          ...(standsFor === undefined ? {} : { standsFor }),
        };
        const outcome = await poolOf(file.class)
          .run({
            task,
            ...limitsOf(operation, sum?.kind === "done" ? sum.result.format : file.format),
            signal: hand.abort.signal,
            progress: ({ fraction, stage }) => note(turn, hand, (i + fraction) / job.steps.length, stage),
          })
          .catch((problem: unknown) => {
            throw nameStep(problem, { place: i + 1, operation, steps: askedSteps(job.steps).length });
          });
        sum = sum ? addStep(sum, outcome) : outcome;
        last = outcome;
        const isDone = outcome.kind === "done";
        if (beside && isDone && outcome.hasKept) keptBeside = beside;
        if (isBeforeCutOut) before = draft;
        path = draft.path;
        standsFor = isDone && outcome.isStandIn ? outcome.result.format : undefined;
        committed = draft;
        // A picture that needs no conversion is its sender's own, without a mark.
        if (sum.kind === "unchanged" && job.steps[i + 1]?.operation === testStep.operation) break;
      }
      if (!sum || !last || !committed) throw new Error(`The job ${jobId} has no step.`);
      const made = [committed, before, keptBeside].filter((draft) => draft !== undefined);
      await store(made, claim, hand);
      const name = sum.kind === "done" ? options.nameResult(job, file, sum.result) : file.name;
      const kept = keeping && {
        cutOut: keptBeside ? keeping.cutOut : output,
        original: before ? keeping.original : file.input,
        ...{ width: last.source.width, height: last.source.height },
      };
      return endingOf(sum, { output, name, kept });
    } finally {
      await Promise.allSettled([
        ...drafts.map((draft) => draft.discard()),
        ...checkouts.map((taken) => taken.release()),
      ]);
    }
  };

  /** Stores a result, and what is kept beside it. @throws full */
  const store = async (made: readonly Draft[], { turn, file }: Claim, hand: Hand) => {
    const sizes = await Promise.all(made.map(async ({ path }) => (await stat(path)).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0) - file.sizeBytes;
    if (bytes > uncountedBytes) await retrying(() => admitResult(options, { jobId: turn.jobId, bytes }));
    await requireLease(turn, hand);
    for (const draft of made) await retrying(() => draft.commit());
  };

  /** A process that stood still must not store what another one may have stored meanwhile. */
  const requireLease = async (turn: Turn, hand: Hand) => {
    if (lease.isHeld() || (await retrying(() => isStillMine(db, turn)))) return;
    hand.abort.abort();
    throw new DomainError("cancelled");
  };

  const told = new WeakMap<Hand, { at: number; stage: string | undefined }>();
  const note = ({ jobId, index }: Turn, hand: Hand, fraction: number, stage: string | undefined) => {
    hand.progress = Math.min(1, Math.max(hand.progress, fraction));
    hand.stage = stage;
    const now = performance.now();
    const last = told.get(hand);
    if (last && last.stage === stage && now - last.at < tellGapMs) return;
    told.set(hand, { at: now, stage });
    tellProgress(bus, jobId, { index, progress: hand.progress, ...(stage === undefined ? {} : { stage }) });
  };

  const stop = (jobId: string) => {
    for (const { turn, abort } of hands.values()) if (turn?.jobId === jobId) abort.abort();
  };
  const leave = await hearWorker(bus, lease.id, (message) => stop(message.stop));
  const takers: Taker[] = classes.map((workClass) => work.take(workClass, { hands: poolOf(workClass).size, handle }));

  return {
    async beat() {
      const old = [...hands.values()].flatMap(({ turn, since, progress, stage }) =>
        turn && performance.now() - since > settledMs ? [{ turn, progress, stage }] : [],
      );
      if (old.length > 0) {
        const mine = await noteProgress(db, lease.id, old);
        for (const { turn } of old) {
          const fileId = fileIdOf(turn.jobId, turn.index);
          const hand = hands.get(fileId);
          if (!mine.has(fileId) && hand?.turn === turn) hand.abort.abort();
        }
      }
      const orphans = await releaseOrphans(db, lease.id, [...hands.keys()]);
      if (orphans.length > 0) await work.offer(orphans.map(({ jobId, file }) => offerOf(jobId, file)));
    },
    async close({ graceMs = 0 } = {}) {
      isClosing = true;
      const ended = Promise.all(takers.map((taker) => taker.close()));
      const patience = new AbortController();
      await Promise.race([ended, wait(graceMs, undefined, { signal: patience.signal }).catch(() => {})]);
      patience.abort();
      // Their engines end, and what they worked on is handed back.
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
      await ended;
      leave();
    },
  };
}

const markingLimitMs = 20_000;
const limitsOf = (operation: EngineTask, format: FileRecord["format"]) =>
  operation === "test-mark" ? { timeLimitMs: markingLimitMs } : timeLimitsOf(operation, format);
