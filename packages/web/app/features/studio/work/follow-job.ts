import { retry } from "@tintype/client/core";
import type { JobEvent, JobFile } from "@tintype/contract";
import { type Api, ApiProblem, ConnectionLost, sentenceOf } from "@tintype/contract/api";
import { waitForRetry } from "../../../lib/api/wait-for-retry.ts";
import type { PictureId } from "../state/picture.ts";
import type { RunEvent } from "../state/studio-event.ts";
import { watchJob } from "./watch-job.ts";

export type Following = {
  api: Api;
  batch: number;
  jobId: string;
  /** The picture of each of the job's files, by index. */
  ids: readonly PictureId[];
  /** The key of the work on each picture, where its original is here. */
  keys: ReadonlyMap<PictureId, string>;
  dispatch(event: RunEvent): void;
  limitDownloads<Value>(run: () => Promise<Value>): Promise<Value>;
  signal: AbortSignal;
  now?: () => number;
};

/**
 * Listens to a job and brings each result over as soon as it is done, until all are here.
 * @throws ApiProblem, ConnectionLost of the events; a result that cannot be had is that picture's failure.
 */
export async function followJob(following: Following): Promise<void> {
  const { api, batch, jobId, ids, keys, dispatch, limitDownloads, signal, now } = following;
  const fetched = new Map<number, Promise<void>>();

  const bring = async ({ index, result }: JobFile) => {
    const id = ids[index];
    // Batches make no web sets: `web-sets.ts` does.
    if (!id || !result || result.format === "zip") return;
    try {
      const blob = await fetchResult({ api, jobId, index, signal });
      const { name, format, width: widthPx, height: heightPx } = result;
      const preview = { kind: "pending" } as const;
      const sides = { widthPx, heightPx };
      const arrived = {
        blob,
        name,
        format,
        sides,
        sizeBytes: blob.size,
        preview,
        key: keys.get(id),
        isSaved: false,
        isKept: false,
        job: { id: jobId, index },
      };
      dispatch({ type: "result-arrived", batch, id, result: arrived });
    } catch (problem) {
      if (signal.aborted) return;
      const code = problem instanceof ApiProblem ? problem.code : undefined;
      dispatch({ type: "result-lost", batch, id, reason: sentenceOf(problem), code });
    }
  };

  const onLink: Parameters<typeof watchJob>[0]["onLink"] = (link, { isNews }) =>
    dispatch({ type: "link-changed", batch, link, isNews });
  for await (const event of watchJob({ api, jobId, onLink, signal, ...(now ? { now } : {}) })) {
    dispatch({ type: "job-heard", batch, jobId, event });
    for (const file of filesOf(event))
      if (file.state === "done" && !fetched.has(file.index))
        fetched.set(
          file.index,
          limitDownloads(() => bring(file)),
        );
  }
  await Promise.all(fetched.values());
}

function filesOf(event: JobEvent): readonly JobFile[] {
  if (event.type === "snapshot") return event.job.files;
  return event.type === "file" ? [event.file] : [];
}

const maxRetries = 6;

/**
 * Brings one result over; the server deletes it once it has been delivered whole.
 * @throws ApiProblem (410: its time ran out), ConnectionLost
 */
export function fetchResult({
  api,
  jobId,
  index,
  signal,
}: {
  api: Api;
  jobId: string;
  index: number;
  signal: AbortSignal;
}): Promise<Blob> {
  return retry(
    async () => {
      const response = await api.open("GET /jobs/{id}/files/{index}", { params: { id: jobId, index }, signal });
      return response.blob().catch((problem: unknown) => {
        throw new ConnectionLost(problem);
      });
    },
    waitForRetry({ retries: maxRetries, signal }),
  );
}
