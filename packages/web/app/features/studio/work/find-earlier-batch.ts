import { formats, type InputFormat, type Job, type JobFile, type OperationName } from "@tintype/contract";
import { type Api, ApiProblem } from "@tintype/contract/api";
import { randomId } from "../../../lib/random-id.ts";
import { hasResult, sourceSides } from "../state/job-report.ts";
import type { Order } from "../state/order.ts";
import { settingsWithoutPage } from "../state/page.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import type { FoundBatch } from "../state/studio-event.ts";
import type { CachedBatch } from "./cache/cache-store.ts";
import { type Header, readHeader } from "./intake/read-header.ts";
import { claimJob, type RememberedJob, type RememberedJobs } from "./remembered-jobs.ts";

/** How long the page before a reload may take to release its jobs. */
const unloadTimeoutMs = 2000;

export type EarlierBatch = Omit<FoundBatch, "keys"> & { release(): void };

type FindOptions = {
  api: Api;
  remembered: RememberedJobs;
  /** The originals and settings that this browser keeps for a job. */
  findBatch(idempotencyKey: string): Promise<CachedBatch | undefined>;
};

/** The jobs of the newest submit that has undelivered results and that no other tab has claimed. Spent ones are forgotten. */
export async function findEarlierBatch(options: FindOptions): Promise<EarlierBatch | undefined> {
  const signal = AbortSignal.timeout(unloadTimeoutMs);
  const visited = new Set<string>();
  for (const newest of options.remembered.list().toReversed()) {
    if (visited.has(newest.jobId)) continue;
    const siblings = options.remembered.list().filter((one) => one.jobId === newest.jobId || isSameBatch(one, newest));
    for (const { jobId } of siblings) visited.add(jobId);
    const found = (await Promise.all(siblings.map((sibling) => findJob(sibling, signal, options)))).filter(
      (one) => one !== undefined,
    );
    if (found.length > 0) return mergeJobs(newest.tool, found);
  }
  return undefined;
}

const isSameBatch = (one: RememberedJob, other: RememberedJob) => one.batch !== undefined && one.batch === other.batch;

type FoundJob = { job: Job; cached: CachedBatch | undefined; headers: (Header | undefined)[]; release(): void };

async function findJob(
  { jobId, idempotencyKey = jobId }: RememberedJob,
  signal: AbortSignal,
  { api, remembered, findBatch }: FindOptions,
): Promise<FoundJob | undefined> {
  const release = await claimJob(jobId, signal);
  if (!release) return undefined;
  const job = await api.call("GET /jobs/{id}", { params: { id: jobId } }).catch((problem: unknown) => {
    // Forget the job only when the server says that it is gone: after a broken connection the next visit may find it.
    if (problem instanceof ApiProblem && problem.status < 500) remembered.remove(jobId);
    return undefined;
  });
  if (job && hasUndeliveredResults(job)) {
    const cached = await findBatch(idempotencyKey);
    const headers = (cached?.sources ?? []).map((file) => file && readHeader(file).catch(() => undefined));
    return { job, cached, headers: await Promise.all(headers), release };
  }
  if (job) remembered.remove(jobId);
  release();
  return undefined;
}

/** Whether two jobs of a batch have the same form options. A stored file is a new object on each read, so it never compares equal. */
const hasSameOptions = (one: CachedBatch, other: CachedBatch): boolean =>
  !one.settings.picture &&
  JSON.stringify(settingsWithoutPage(one.settings)) === JSON.stringify(settingsWithoutPage(other.settings));

/** The form gets the order of the job with a page, or else of the first job. Differing options become their pictures' own. */
function mergeJobs(tool: OperationName, found: readonly FoundJob[]): EarlierBatch {
  const cachedBatches = found.flatMap(({ cached }) => cached ?? []);
  const plan = cachedBatches.find(({ steps }) => JSON.stringify(steps).includes('"page":')) ?? found[0]?.cached;
  const pictures: Picture[] = [];
  const orders = new Map<PictureId, Order>();
  const jobs = found.map(({ job, cached, headers }) => {
    const custom =
      cached && plan && cached !== plan && !hasSameOptions(cached, plan)
        ? { customOptions: { [tool]: cached.settings } }
        : {};
    const jobPictures = job.files.map((file) => ({
      ...pictureOf(file, cached?.sources[file.index]),
      isAnimated: headers[file.index]?.isAnimated,
      frame: cached?.frame,
      ...custom,
    }));
    pictures.push(...jobPictures);
    if (cached) for (const picture of jobPictures) orders.set(picture.id, orderOf(cached));
    return { job, ids: jobPictures.map(({ id }) => id) };
  });
  return {
    tool,
    plan,
    jobs,
    pictures,
    orders,
    release() {
      for (const { release } of found) release();
    },
  };
}

const orderOf = ({ tool, settings, cursor, steps, frame }: CachedBatch): Order => ({
  tool,
  settings,
  cursor,
  steps,
  frame,
});

function hasUndeliveredResults({ state, files }: Job): boolean {
  if (state === "queued" || state === "running") return true;
  return state === "done" && files.some((file) => hasResult(file) && !file.delivered);
}

/** A picture with its original if that was kept, or else with only what the server reports. */
function pictureOf({ name, source }: JobFile, file: File | undefined): Picture {
  return {
    id: randomId() as PictureId, // the only other place that creates ids is create-intake.ts
    name: name || `picture.${source?.format ? formats[source.format].extensions[0] : "img"}`,
    sizeBytes: source?.size_bytes ?? file?.size ?? 0,
    file,
    format: source?.format as InputFormat | undefined, // an original has an input format
    fault: undefined,
    preview: { kind: file ? "pending" : "none" },
    sides: sourceSides({ source }),
    outcome: { kind: "waiting" },
  };
}
