import { formats, type Job, type JobFile, type OperationName } from "@tintype/contract";
import type { Api } from "../../../lib/api/client.ts";
import { ApiProblem } from "../../../lib/api/problem.ts";
import { randomId } from "../../../lib/random-id.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import { claimJob, type RememberedJobs } from "./remembered-jobs.ts";

export type EarlierJob = { job: Job; tool: OperationName; pictures: readonly Picture[]; release: () => void };

/** The newest remembered job that still has something to give and that no other tab holds; the spent ones are forgotten. */
export async function findEarlierJob({
  api,
  remembered,
}: {
  api: Api;
  remembered: RememberedJobs;
}): Promise<EarlierJob | undefined> {
  for (const { jobId, tool } of remembered.list().toReversed()) {
    const release = await claimJob(jobId);
    if (!release) continue;
    const job = await api.call("GET /jobs/{id}", { params: { id: jobId } }).catch((problem: unknown) => {
      // Only a word of the server that it is gone forgets a job: a broken connection may find it next time.
      if (problem instanceof ApiProblem && problem.status < 500) remembered.remove(jobId);
      return undefined;
    });
    if (job && hasSomethingToGive(job)) return { job, tool, pictures: job.files.map(pictureOf), release };
    if (job) remembered.remove(jobId);
    release();
  }
  return undefined;
}

function hasSomethingToGive({ state, files }: Job): boolean {
  if (state === "queued" || state === "running") return true;
  return state === "done" && files.some((file) => file.state === "done" && !file.delivered);
}

/** Its original is not on this page any more; what is left of it is what the server says. */
function pictureOf({ name, source }: JobFile): Picture {
  const sides = source?.width && source.height ? { widthPx: source.width, heightPx: source.height } : undefined;
  return {
    id: randomId() as PictureId, // the one place besides intake where ids begin
    name: name || `picture.${source?.format ? formats[source.format].extensions[0] : "img"}`,
    sizeBytes: source?.size_bytes ?? 0,
    file: undefined,
    preview: { kind: "none" },
    sides,
    outcome: { kind: "waiting" },
  };
}
