import type { OperationName } from "@tintype/contract";
import { jobsKey } from "./earlier-visit.ts";

/** `batch`: the same for all jobs of one submit. */
export type RememberedJob = { jobId: string; tool: OperationName; batch?: string };
export type RememberedJobs = {
  list(): RememberedJob[];
  add(job: RememberedJob): void;
  remove(jobId: string): void;
};

/** Pictures with options of their own are jobs of their own. */
const maxJobs = 50;

/** Jobs that were begun in this browser and not brought to an end, newest last. Remembers nothing where storage is off. */
export function createRememberedJobs(storage: Pick<Storage, "getItem" | "setItem"> | undefined): RememberedJobs {
  const list = () => {
    try {
      const value: unknown = JSON.parse(storage?.getItem(jobsKey) ?? "[]");
      return Array.isArray(value) ? value.filter(isJob) : [];
    } catch {
      return []; // another program's value, or storage that is denied
    }
  };
  const write = (jobs: RememberedJob[]) => {
    try {
      storage?.setItem(jobsKey, JSON.stringify(jobs.slice(-maxJobs)));
    } catch {
      // Denied or full: the batch then lasts as long as the page, and nothing else depends on it.
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
 * Holds a job for this tab: two open tabs must not both fetch its results; undefined where another tab holds it. A page that was reloaded
 * can hold it for a moment still: it is waited for until the signal is aborted. Without Web Locks (plain http addresses) every tab may.
 */
export function claimJob(jobId: string, patience?: AbortSignal): Promise<(() => void) | undefined> {
  if (!navigator.locks) return Promise.resolve(() => undefined);
  const options = patience && !patience.aborted ? { signal: patience } : { ifAvailable: true };
  return new Promise((resolve) => {
    navigator.locks
      .request(`tintype.job.${jobId}`, options, (lock) => {
        if (!lock) return resolve(undefined);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(() => resolve(undefined));
  });
}
