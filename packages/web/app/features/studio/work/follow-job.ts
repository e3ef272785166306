import { editableMs, type JobEvent, type JobFile } from "@tintype/contract";
import { type Api, ApiProblem, sentenceOf } from "@tintype/contract/api";
import { hasResult, remarksOf } from "../state/job-report.ts";
import { newResult, type PictureId } from "../state/picture.ts";
import type { PictureEvent, RunEvent } from "../state/studio-event.ts";
import { fetchResult, fetchThumbs } from "./fetch-result.ts";
import { shouldHold } from "./held-results.ts";
import { isAnimatedPicture } from "./intake/read-header.ts";
import { watchJob } from "./watch-job.ts";

/** How long before the server deletes a held result it is kept automatically. */
const keepMarginMs = 2 * 60_000;

export type FollowOptions = {
  api: Api;
  batch: number;
  jobId: string;
  /** The pictures of the job's files, by file index. */
  ids: readonly PictureId[];
  /** The work key of each picture whose original is on this page. */
  keys: ReadonlyMap<PictureId, string>;
  dispatch(event: RunEvent | Extract<PictureEvent, { type: "outcome-changed" }>): void;
  limitDownloads<Value>(run: () => Promise<Value>): Promise<Value>;
  signal: AbortSignal;
  now?: () => number;
};

/**
 * Follows a job's events and downloads each result as soon as it is done, until all have arrived.
 * @throws ApiProblem, ConnectionLost from the event stream. A failed download fails only its picture.
 */
export async function followJob(options: FollowOptions): Promise<void> {
  const { api, batch, jobId, ids, keys, dispatch, limitDownloads, signal, now } = options;
  const fetched = new Map<number, Promise<void>>();
  let expiresAtMs: number | undefined;

  /** Holds a flagged result, with its thumbnails, for the user's decision. Resolves to false if they cannot be fetched. */
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
      // A running job has no expiry yet. It will count from the job's end, so this estimate is early.
      keepAtMs: (expiresAtMs ?? Date.now() + editableMs) - keepMarginMs,
    };
    dispatch({ type: "outcome-changed", id, outcome: { ...remarksOf(file), kind: "held", held } });
    return true;
  };

  const deliver = async (file: JobFile) => {
    const { index, result } = file;
    const id = ids[index];
    // A batch contains no web sets: `web-sets.ts` makes them.
    if (!id || !result || result.format === "zip") return;
    if (shouldHold(file) && (await hold(id, file, result))) return;
    try {
      const blob = await fetchResult({ api, jobId, index, signal });
      const { name, format, width: widthPx, height: heightPx } = result;
      const arrived = newResult({
        blob,
        name,
        format,
        isAnimated: await isAnimatedPicture(blob, format),
        sides: { widthPx, heightPx },
        key: keys.get(id),
        job: { id: jobId, index },
      });
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
    dispatch({ type: "job-event-received", batch, jobId, event });
    if (event.type === "snapshot" && event.job.expires_at) expiresAtMs = Date.parse(event.job.expires_at);
    for (const file of filesOf(event))
      if (hasResult(file) && !fetched.has(file.index))
        fetched.set(
          file.index,
          limitDownloads(() => deliver(file)),
        );
  }
  await Promise.all(fetched.values());
}

function filesOf(event: JobEvent): readonly JobFile[] {
  if (event.type === "snapshot") return event.job.files;
  return event.type === "file" ? [event.file] : [];
}
