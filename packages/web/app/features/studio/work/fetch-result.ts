import { type Api, ApiProblem, ConnectionLost, isRetryable } from "@tintype/contract/api";
import { retryDelayMs, waitForNetwork } from "../../../lib/wait.ts";

const maxRetries = 6;

/**
 * Brings one result over; the server deletes it once it has been delivered whole.
 * @throws ApiProblem (410: its time ran out), ConnectionLost
 */
export async function fetchResult({
  api,
  jobId,
  index,
  signal,
}: {
  api: Api;
  jobId: string;
  index: number;
  signal: AbortSignal;
}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await api.open("GET /jobs/{id}/files/{index}", { params: { id: jobId, index }, signal });
      return await response.blob().catch((problem: unknown) => {
        throw new ConnectionLost(problem);
      });
    } catch (problem) {
      signal.throwIfAborted();
      if (!isRetryable(problem) || attempt > maxRetries) throw problem;
      const retryAfterSeconds = problem instanceof ApiProblem ? problem.retryAfterSeconds : undefined;
      await waitForNetwork(retryDelayMs({ attempt, retryAfterSeconds }), signal);
    }
  }
}
