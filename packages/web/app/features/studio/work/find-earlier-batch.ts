import { formats, type InputFormat, type Job, type JobFile, type OperationName } from "@tintype/contract";
import { type Api, ApiProblem } from "@tintype/contract/api";
import { randomId } from "../../../lib/random-id.ts";
import type { Order } from "../state/order.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import type { FoundBatch } from "../state/studio-event.ts";
import type { KeptBatch } from "./kept/kept-store.ts";
import { claimJob, type RememberedJob, type RememberedJobs } from "./remembered-jobs.ts";

/** How long the page before a reload may take to let go of its jobs. */
const unloadMs = 2000;

export type EarlierBatch = Omit<FoundBatch, "keys"> & { release(): void };

type Finding = {
  api: Api;
  remembered: RememberedJobs;
  /** The originals and settings that this browser kept of a job. */
  findBatch(jobId: string): Promise<KeptBatch | undefined>;
};

/** The jobs of the newest submit that still has something to give and that no other tab holds; the spent ones are forgotten. */
export async function findEarlierBatch(finding: Finding): Promise<EarlierBatch | undefined> {
  const patience = AbortSignal.timeout(unloadMs);
  const looked = new Set<string>();
  for (const newest of finding.remembered.list().toReversed()) {
    if (looked.has(newest.jobId)) continue;
    const mates = finding.remembered.list().filter((one) => one.jobId === newest.jobId || isMate(one, newest));
    for (const { jobId } of mates) looked.add(jobId);
    const found = (await Promise.all(mates.map(({ jobId }) => findJob(jobId, patience, finding)))).filter(
      (one) => one !== undefined,
    );
    if (found.length > 0) return together(newest.tool, found);
  }
  return undefined;
}

const isMate = (one: RememberedJob, other: RememberedJob) => one.batch !== undefined && one.batch === other.batch;

type Found = { job: Job; kept: KeptBatch | undefined; release(): void };

async function findJob(
  jobId: string,
  patience: AbortSignal,
  { api, remembered, findBatch }: Finding,
): Promise<Found | undefined> {
  const release = await claimJob(jobId, patience);
  if (!release) return undefined;
  const job = await api.call("GET /jobs/{id}", { params: { id: jobId } }).catch((problem: unknown) => {
    // Only a word of the server that it is gone forgets a job: a broken connection may find it next time.
    if (problem instanceof ApiProblem && problem.status < 500) remembered.remove(jobId);
    return undefined;
  });
  if (job && hasSomethingToGive(job)) return { job, kept: await findBatch(jobId), release };
  if (job) remembered.remove(jobId);
  release();
  return undefined;
}

/** The first job's order is the form's; options of the others are their pictures' own. */
function together(tool: OperationName, found: readonly Found[]): EarlierBatch {
  const [first] = found;
  const plan = first?.kept;
  const pictures: Picture[] = [];
  const orders = new Map<PictureId, Order>();
  const jobs = found.map(({ job, kept }) => {
    const own = kept && plan && kept.settings !== plan.settings ? { own: { [tool]: kept.settings } } : {};
    const mine = job.files.map((file) => ({
      ...pictureOf(file, kept?.sources[file.index]),
      frame: kept?.frame,
      ...own,
    }));
    pictures.push(...mine);
    if (kept) for (const picture of mine) orders.set(picture.id, orderOfKept(kept));
    return { job, ids: mine.map(({ id }) => id) };
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

const orderOfKept = ({ tool, settings, steps, cursor, frame }: KeptBatch): Order => ({
  tool,
  settings,
  steps,
  cursor,
  frame,
});

function hasSomethingToGive({ state, files }: Job): boolean {
  if (state === "queued" || state === "running") return true;
  return state === "done" && files.some((file) => file.state === "done" && !file.delivered);
}

/** With its original where that was kept; else what is left of it is what the server says. */
function pictureOf({ name, source }: JobFile, file: File | undefined): Picture {
  const sides = source?.width && source.height ? { widthPx: source.width, heightPx: source.height } : undefined;
  return {
    id: randomId() as PictureId, // the one place besides intake where ids begin
    name: name || `picture.${source?.format ? formats[source.format].extensions[0] : "img"}`,
    sizeBytes: source?.size_bytes ?? file?.size ?? 0,
    file,
    format: source?.format as InputFormat | undefined, // an original is of a format that can be read
    fault: undefined,
    preview: { kind: file ? "pending" : "none" },
    sides,
    outcome: { kind: "waiting" },
  };
}
