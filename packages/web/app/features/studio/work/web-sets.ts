import { ApiProblem, sentenceOf } from "@tintype/contract/api";
import { randomId } from "../../../lib/random-id.ts";
import { formFields } from "../state/form-fields.ts";
import { type Frame, hasFrame, stepsOf } from "../state/frame.ts";
import { withToolNames } from "../state/job-report.ts";
import { isOutOfCredits } from "../state/run-machine.ts";
import type { ToolSettings } from "../state/settings.ts";
import { writeStep } from "../state/steps.ts";
import { fetchResult } from "./fetch-result.ts";
import { sendPictures } from "./send-pictures.ts";
import type { StudioParts } from "./studio-parts.ts";
import { watchJob } from "./watch-job.ts";

/** `fraction`: 0..1 of the whole. */
export type WebSetProgress = { stage: string; fraction: number };
export type WebSetResult =
  | { kind: "made"; zip: Blob; name: string }
  | { kind: "refused"; sentence: string; isOutOfCredits?: boolean };

export type WebSets = {
  /**
   * Makes a web set of a picture after its crop and rotation. An abort ends the job and refunds its credit.
   * @throws the signal's abort reason
   */
  makeWebSet(
    source: { file: File; frame: Frame | undefined; settings: ToolSettings },
    options: { signal: AbortSignal; onProgress(now: WebSetProgress): void },
  ): Promise<WebSetResult>;
};

/** The upload's share of the progress bar. */
const uploadShare = 0.2;

export function createWebSets({ api }: Pick<StudioParts, "api">): WebSets {
  return {
    async makeWebSet({ file, frame, settings }, { signal, onProgress }) {
      const request = hasFrame(frame)
        ? {
            path: "/recipes/run/",
            fields: { recipe: JSON.stringify({ steps: [...stepsOf(frame), writeStep("web-set", settings)] }) },
          }
        : { path: "/web-set/", fields: formFields("web-set", settings) };
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
            return { kind: "made", zip: await fetchResult({ api, jobId, index, signal }), name: result.name };
          const fraction = uploadShare + (1 - uploadShare) * progress;
          onProgress({ stage: state === "waiting" ? "In the queue" : (stage ?? "Working"), fraction });
        }
        return { kind: "refused", sentence: "This web set was cancelled." };
      } catch (problem) {
        // End the job on the server, which refunds the credit.
        if (signal.aborted && jobId)
          void api.call("DELETE /jobs/{id}", { params: { id: jobId } }).catch(() => undefined);
        signal.throwIfAborted();
        const code = problem instanceof ApiProblem ? problem.code : undefined;
        return { kind: "refused", sentence: sentenceOf(problem), isOutOfCredits: isOutOfCredits(code) };
      }
    },
  };
}
