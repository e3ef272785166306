import type { OperationName } from "@tintype/contract";
import { jobsKey } from "./earlier-visit.ts";

/**
 * `batch` is the same for all jobs of one submit. `idempotencyKey` finds the stored originals; without one they are stored by job id.
 * `count`: its pictures.
 */
export type RememberedJob = {
  jobId: string;
  tool: OperationName;
  batch?: string;
  idempotencyKey?: string;
  count?: number;
};
export type RememberedJobs = {
  list(): RememberedJob[];
  add(job: RememberedJob): void;
  remove(jobId: string): void;
};

/** A batch can have many jobs: pictures with custom options are sent as separate jobs. */
const maxJobs = 50;

/** Unfinished jobs started in this browser, newest last. Remembers nothing if storage is unavailable. */
export function createRememberedJobs(storage: Pick<Storage, "getItem" | "setItem">): RememberedJobs {
  const list = () => {
    try {
      const value: unknown = JSON.parse(storage.getItem(jobsKey) ?? "[]");
      return Array.isArray(value) ? value.filter(isJob) : [];
    } catch {
      return []; // a value that is not ours, or storage access is denied
    }
  };
  const write = (jobs: RememberedJob[]) => {
    try {
      storage.setItem(jobsKey, JSON.stringify(jobs.slice(-maxJobs)));
    } catch {
      // Storage is denied or full: the batch cannot be resumed after a reload, and nothing else depends on it.
    }
  };
  return {
    list,
    add: (job) => write([...list().filter(({ jobId }) => jobId !== job.jobId), job]),
    remove: (id) => write(list().filter(({ jobId }) => jobId !== id)),
  };
}

function isJob(value: unknown): value is RememberedJob {
  return typeof value === "object" && value !== null && "jobId" in value && "tool" in value;
}

/**
 * Locks a job for this tab, so that two tabs do not both fetch its results. Resolves to the release function, or to undefined if another
 * tab holds the lock. A reloaded page may hold it briefly, so wait until `signal` aborts. Without Web Locks (plain http origins)
 * every tab gets the job.
 */
export function claimJob(jobId: string, signal?: AbortSignal): Promise<(() => void) | undefined> {
  if (!navigator.locks) return Promise.resolve(() => undefined);
  const options = signal && !signal.aborted ? { signal: signal } : { ifAvailable: true };
  return new Promise((resolve) => {
    navigator.locks
      .request(`tintype.job.${jobId}`, options, (lock) => {
        if (!lock) return resolve(undefined);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(() => resolve(undefined));
  });
}
