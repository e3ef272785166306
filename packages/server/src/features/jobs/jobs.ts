import { setTimeout as wait } from "node:timers/promises";
import { DomainError, isFinal } from "@tintype/contract";
import { createDeliveries, type Deliveries } from "./deliver/delivery.ts";
import type { Bounds } from "./limits/admission.ts";
import { queueFull } from "./limits/places.ts";
import { type BeginOutcome, beginJob, type NewJob } from "./queue/begin.ts";
import type { Lease } from "./queue/lease.ts";
import type { JobRecord } from "./record/job.ts";
import { createJobQueries, type JobQueries } from "./record/job-queries.ts";
import { findJob, outliveConnection } from "./record/store.ts";
import { createJobWatch, type JobWatch } from "./record/watch.ts";
import { discardFile } from "./settle/discard.ts";
import { forgetPictures, removePictures } from "./settle/remove-pictures.ts";
import { cancelFile, type EarlyEnd, endEarly } from "./settle/settle.ts";
import { type QueueFacts, type SweepDependencies, startSweeps } from "./sweep.ts";
import { createUploads, type Uploads } from "./uploads.ts";

export type JobDependencies = SweepDependencies & { lease: Lease; bounds: Bounds };

/** The lifecycle of jobs, from the upload to the deletion of the pictures, whichever processes handle them. */
export type Jobs = Uploads &
  JobQueries &
  Deliveries & {
    watch: JobWatch;
    begin(job: NewJob): Promise<BeginOutcome>;
    /** Stops the work, deletes the pictures, and refunds the files that were not delivered. @throws not-found */
    cancel(id: string, owners: readonly string[]): Promise<JobRecord>;
    /**
     * Ends one file that waits or is in work, and refunds its credit. The others continue. A finished one is discarded if
     * `discardFile` allows it.
     * @throws not-found, and what `discardFile` throws
     */
    cancelFile(id: string, index: number, owners: readonly string[]): Promise<JobRecord>;
    /**
     * Ends any caller's unfinished job, as `cancel` does. `also` writes in the same transaction.
     * @throws not-found; conflict if it has already ended
     */
    end(id: string, also: NonNullable<EarlyEnd["also"]>): Promise<void>;
    /**
     * The connection that began the job is gone: ends the job and refunds it, once the database responds, unless its
     * delivery has begun. `isKeyed`: a repeat under its key may follow it by now, and then it continues.
     */
    hangUp(id: string, how: { isKeyed: boolean }): Promise<void>;
    /** A waited job's caller has its address now: it no longer ends with the connection or the process. */
    outliveConnection(id: string, how: { isCharged: boolean }): void;
    /** The answer of a waited job could not be sent: refunds what was not delivered, once the database responds. */
    abandon(id: string): void;
    /** Runs the sweep. Every API process runs it each second; tests call it directly. */
    sweep(): Promise<void>;
    /** The queue as of the last sweep. */
    facts(): QueueFacts | undefined;
    /**
     * Waits up to `graceMs` for jobs whose callers wait and for uploads in progress, then accepts no job. A process that is
     * alone refuses new uploads at once; others accept those that still arrive on their connections.
     */
    drain(how: { graceMs: number; isAlone: boolean }): Promise<void>;
    isDraining(): boolean;
    /** Ends the jobs whose callers still wait, with the error for a restarting server. */
    close(): Promise<void>;
  };

const drainPollMs = 50;

export function createJobs(dependencies: JobDependencies): Jobs {
  const { db, lease, log } = dependencies;
  const watch = createJobWatch(dependencies);
  const waited = new Set<string>();
  let isDraining = false;
  let isClosing = false;

  /** Ends that could not be recorded while the database was down. */
  const unwritten = new Set<() => Promise<unknown>>();
  const writeDown = (end: () => Promise<unknown>) =>
    end().catch((problem: unknown) => {
      log.warn({ err: problem }, "cannot record the end of a job or upload; it is retried");
      unwritten.add(end);
    });
  const sweeps = startSweeps(dependencies, async () => {
    for (const end of unwritten) {
      await end();
      unwritten.delete(end);
    }
  });
  const uploads = createUploads(dependencies, writeDown);
  const queries = createJobQueries(dependencies);
  const { find } = queries;
  const remove = (id: string) => removePictures(dependencies, id, { isDelivered: false });
  /** Returns whether it ended the job. Pictures that could not be removed are left to the sweep. */
  const endManually = async (id: string, how: Pick<EarlyEnd, "also" | "hangUp"> = {}) => {
    const ended = await endEarly(dependencies, id, { state: "cancelled", code: "cancelled", ...how });
    if (ended?.isRemoved) await forgetPictures(dependencies, id, { isDelivered: false });
    return ended !== undefined;
  };

  return {
    watch,
    ...uploads.calls,
    ...queries,
    ...createDeliveries(dependencies),
    async begin(job) {
      if (isClosing) throw queueFull();
      const begun = await beginJob({ ...dependencies, watch, process: lease.id }, job);
      if (begun.kind === "begun") uploads.end(job.id);
      if (begun.kind === "begun" && job.waited) {
        waited.add(job.id);
        void begun.ended.finally(() => waited.delete(job.id));
      }
      return begun;
    },
    async cancel(id, owners) {
      const record = await find(id, owners);
      if (!isFinal(record.state) && (await endManually(id))) return find(id, owners);
      if (!record.removedAt) await remove(id);
      return find(id, owners);
    },
    async cancelFile(id, index, owners) {
      const record = await find(id, owners);
      if (!record.files.some((file) => file.index === index)) throw new DomainError("not-found");
      const ended = (await cancelFile(dependencies, id, index)) ?? (await discardFile(dependencies, id, index));
      if (ended?.isRemoved) await forgetPictures(dependencies, id, { isDelivered: false });
      return find(id, owners);
    },
    async end(id, also) {
      if (!(await findJob(db, id))) throw new DomainError("not-found");
      if (!(await endManually(id, { also })))
        throw new DomainError("conflict", { detail: "This job has ended already." });
    },
    async hangUp(id, hangUp) {
      waited.delete(id);
      await writeDown(() => endManually(id, { hangUp }));
    },
    outliveConnection(id, how) {
      waited.delete(id);
      void writeDown(() => outliveConnection(db, id, how));
    },
    abandon(id) {
      void writeDown(() => endEarly(dependencies, id, { state: "failed", code: "interrupted" }));
    },
    sweep: sweeps.run,
    facts: sweeps.facts,
    async drain({ graceMs, isAlone }) {
      isDraining = true;
      if (isAlone) uploads.refuse();
      const deadline = AbortSignal.timeout(graceMs);
      while (waited.size + uploads.count() > 0 && !deadline.aborted) await wait(drainPollMs);
      uploads.refuse();
      isClosing = true;
    },
    isDraining: () => isDraining,
    async close() {
      [isDraining, isClosing] = [true, true];
      uploads.refuse();
      await sweeps.stop();
      for (const id of waited)
        await endEarly(dependencies, id, { state: "failed", code: "interrupted" }).catch((problem: unknown) =>
          log.error({ err: problem, job: id }, "cannot end a synchronous job"),
        );
      watch.close();
    },
  };
}
