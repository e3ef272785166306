import { type Api, ApiProblem, sentenceOf } from "@tintype/contract/api";
import { randomId } from "../../../lib/random-id.ts";
import { withToolNames } from "../state/job-report.ts";
import { isOutOfCredits } from "../state/run-machine.ts";
import { fetchResult } from "./fetch-result.ts";
import { type SendOptions, sendPictures } from "./send-pictures.ts";
import { watchJob } from "./watch-job.ts";

/** `fraction`: 0..1 of the whole. */
export type OneProgress = { stage: string; fraction: number };
export type OneResult =
  | { kind: "made"; blob: Blob; name: string }
  | { kind: "refused"; sentence: string; isOutOfCredits?: boolean };

type Request = Pick<SendOptions, "path" | "fields"> & { api: Api; file: File };

/** The upload's share of the progress bar. */
const uploadShare = 0.2;

/**
 * Processes one file beside the studio's batch. An abort ends the job and refunds its credit.
 * @throws the signal's abort reason
 */
export async function runOne(
  { api, file, ...request }: Request,
  { signal, onProgress }: { signal: AbortSignal; onProgress(now: OneProgress): void },
): Promise<OneResult> {
  let jobId: string | undefined;
  try {
    const sent = await sendPictures({
      api,
      files: [file],
      idempotencyKey: randomId(),
      signal,
      ...request,
      onProgress: (bytes, total) => onProgress({ stage: "Uploading", fraction: (uploadShare * bytes) / total }),
      onDelay: ({ reason }) => onProgress({ stage: reason, fraction: 0 }),
    });
    if (sent.kind !== "job") return { kind: "refused", sentence: sent.message };
    jobId = sent.jobId;
    const onLink = (link: string) =>
      link !== "live" && onProgress({ stage: "The connection was lost. Reconnecting...", fraction: uploadShare });
    for await (const event of watchJob({ api, jobId, onLink, signal })) {
      const [one] = event.type === "snapshot" ? event.job.files : event.type === "file" ? [event.file] : [];
      if (!one) continue;
      const { state, result, reason, stage, progress, index } = one;
      if (state === "failed") return { kind: "refused", sentence: withToolNames(reason ?? "") };
      if (state === "done" && result)
        return { kind: "made", blob: await fetchResult({ api, jobId, index, signal }), name: result.name };
      const fraction = uploadShare + (1 - uploadShare) * progress;
      onProgress({ stage: state === "waiting" ? "In the queue" : (stage ?? "Working"), fraction });
    }
    return { kind: "refused", sentence: "It was cancelled." };
  } catch (problem) {
    // End the job on the server, which refunds the credit.
    if (signal.aborted && jobId) void api.call("DELETE /jobs/{id}", { params: { id: jobId } }).catch(() => undefined);
    signal.throwIfAborted();
    const code = problem instanceof ApiProblem ? problem.code : undefined;
    return { kind: "refused", sentence: sentenceOf(problem), isOutOfCredits: isOutOfCredits(code) };
  }
}
