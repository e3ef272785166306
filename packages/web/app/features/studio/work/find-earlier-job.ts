import { formats, type InputFormat, type Job, type JobFile } from "@tintype/contract";
import { type Api, ApiProblem } from "@tintype/contract/api";
import { randomId } from "../../../lib/random-id.ts";
import type { KeptBatch } from "../kept/kept-store.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import type { ToolSettings } from "../state/studio-state.ts";
import { claimJob, type RememberedJobs } from "./remembered-jobs.ts";

export type EarlierJob = ToolSettings & { job: Job; pictures: readonly Picture[]; release: () => void };

/** The newest remembered job that still has something to give and that no other tab holds; the spent ones are forgotten. */
export async function findEarlierJob({
  api,
  remembered,
  findBatch,
}: {
  api: Api;
  remembered: RememberedJobs;
  /** The originals and settings that this browser kept of a job. */
  findBatch(jobId: string): Promise<KeptBatch | undefined>;
}): Promise<EarlierJob | undefined> {
  for (const { jobId, tool } of remembered.list().toReversed()) {
    const release = await claimJob(jobId);
    if (!release) continue;
    const job = await api.call("GET /jobs/{id}", { params: { id: jobId } }).catch((problem: unknown) => {
      // Only a word of the server that it is gone forgets a job: a broken connection may find it next time.
      if (problem instanceof ApiProblem && problem.status < 500) remembered.remove(jobId);
      return undefined;
    });
    if (job && hasSomethingToGive(job)) {
      const batch = await findBatch(jobId);
      const pictures = job.files.map((file) => pictureOf(file, batch?.sources[file.index]));
      return { job, tool, settings: batch?.settings, others: batch?.others, pictures, release };
    }
    if (job) remembered.remove(jobId);
    release();
  }
  return undefined;
}

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
