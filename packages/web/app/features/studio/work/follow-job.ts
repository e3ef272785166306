import type { JobEvent, JobFile } from "@tintype/contract";
import { type Api, ApiProblem, sentenceOf } from "@tintype/contract/api";
import { remarksOf } from "../state/job-report.ts";
import type { PictureId } from "../state/picture.ts";
import type { PictureEvent, RunEvent } from "../state/studio-event.ts";
import { fetchResult, fetchThumbs } from "./fetch-result.ts";
import { isToBeHeld } from "./held-results.ts";
import { watchJob } from "./watch-job.ts";

/** A cut-out is kept for edits for so long after its job's end. */
const editableMs = 14 * 60_000;
/** A held result is kept by itself so long before the server deletes it. */
const keepBeforeMs = 2 * 60_000;

export type Following = {
  api: Api;
  batch: number;
  jobId: string;
  /** The picture of each of the job's files, by index. */
  ids: readonly PictureId[];
  /** The key of the work on each picture, where its original is here. */
  keys: ReadonlyMap<PictureId, string>;
  dispatch(event: RunEvent | Extract<PictureEvent, { type: "outcome-changed" }>): void;
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
  let expiresAtMs: number | undefined;

  /** A flagged result waits for the person's decision, with its thumbnails. Answers false where these cannot be had. */
  const hold = async (id: PictureId, file: JobFile, result: NonNullable<JobFile["result"]>): Promise<boolean> => {
    const job = { id: jobId, index: file.index };
    const thumbs = await fetchThumbs({ api, jobId, index: file.index, signal }).catch(() => undefined);
    if (!thumbs || result.format === "zip") return false;
    const { name, format, width: widthPx, height: heightPx } = result;
    const held = {
      job,
      name,
      format,
      sides: { widthPx, heightPx },
      key: keys.get(id),
      thumbsUrl: URL.createObjectURL(thumbs),
      // Of a job that goes on the time begins with its end, which is later.
      keepAtMs: (expiresAtMs ?? Date.now() + editableMs) - keepBeforeMs,
    };
    dispatch({ type: "outcome-changed", id, outcome: { ...remarksOf(file), kind: "held", held } });
    return true;
  };

  const bring = async (file: JobFile) => {
    const { index, result } = file;
    const id = ids[index];
    // Batches make no web sets: `web-sets.ts` does.
    if (!id || !result || result.format === "zip") return;
    if (isToBeHeld(file) && (await hold(id, file, result))) return;
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
    if (event.type === "snapshot" && event.job.expires_at) expiresAtMs = Date.parse(event.job.expires_at);
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
