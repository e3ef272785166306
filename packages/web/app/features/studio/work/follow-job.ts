import type { JobEvent, JobFile } from "@tintype/contract";
import { type Api, ApiProblem, sentenceOf } from "@tintype/contract/api";
import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import type { PictureId } from "../state/picture.ts";
import type { RunEvent } from "../state/studio-event.ts";
import { fetchResult } from "./fetch-result.ts";
import { watchJob } from "./watch-job.ts";

/** Results brought over at a time: browsers open six connections to a host, and the events and previews need some. */
const maxFetches = 3;

export type Following = {
  api: Api;
  jobId: string;
  /** The picture of each of the job's files, by index. */
  ids: readonly PictureId[];
  /** The key of the work on each picture, where its original is here. */
  keys: ReadonlyMap<PictureId, string>;
  dispatch(event: RunEvent): void;
  signal: AbortSignal;
  now?: () => number;
};

/**
 * Listens to a job and brings each result over as soon as it is done, until all are here.
 * @throws ApiProblem, ConnectionLost of the events; a result that cannot be had is that picture's failure.
 */
export async function followJob({ api, jobId, ids, keys, dispatch, signal, now }: Following): Promise<void> {
  const limit = limitConcurrency(maxFetches);
  const fetched = new Map<number, Promise<void>>();

  const bring = async ({ index, result }: JobFile) => {
    const id = ids[index];
    if (!id || !result) return;
    try {
      const blob = await fetchResult({ api, jobId, index, signal });
      const { name, format, width: widthPx, height: heightPx } = result;
      const preview = { kind: "pending" } as const;
      const sides = { widthPx, heightPx };
      const arrived = {
        ...{ blob, name, format, sides, sizeBytes: blob.size, preview },
        ...{ key: keys.get(id), isSaved: false, isKept: false, job: { id: jobId, index } },
      };
      dispatch({ type: "result-arrived", id, result: arrived });
    } catch (problem) {
      if (signal.aborted) return;
      const code = problem instanceof ApiProblem ? problem.code : undefined;
      dispatch({ type: "result-lost", id, reason: sentenceOf(problem), code });
    }
  };

  const onLink: Parameters<typeof watchJob>[0]["onLink"] = (link, { isNews }) =>
    dispatch({ type: "link-changed", link, isNews });
  for await (const event of watchJob({ api, jobId, onLink, signal, ...(now ? { now } : {}) })) {
    dispatch({ type: "job-heard", jobId, event });
    for (const file of filesOf(event))
      if (file.state === "done" && !fetched.has(file.index))
        fetched.set(
          file.index,
          limit(() => bring(file)),
        );
  }
  await Promise.all(fetched.values());
}

function filesOf(event: JobEvent): readonly JobFile[] {
  if (event.type === "snapshot") return event.job.files;
  return event.type === "file" ? [event.file] : [];
}
