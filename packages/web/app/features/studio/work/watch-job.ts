import type { JobEvent } from "@tintype/contract";
import { type Api, ConnectionLost, isRetryable } from "@tintype/contract/api";
import { readEvents } from "../../../lib/api/event-stream.ts";
import { retryDelayMs, waitForNetwork } from "../../../lib/wait.ts";
import type { Link } from "../state/studio-state.ts";

/** Failed tries in a row after which a person is asked. About 40 s with the network up. */
const maxFailures = 8;

export type Watching = { api: Api; jobId: string; onLink(link: Link): void; signal: AbortSignal };

/**
 * A job's events up to its last one. A connection that breaks is opened again after the last event heard.
 * @throws ApiProblem (404: the job is gone), ConnectionLost after too many tries.
 */
export async function* watchJob({ api, jobId, onLink, signal }: Watching): AsyncGenerator<JobEvent> {
  let lastEventId = "";
  for (let failures = 0; ; ) {
    try {
      const { body } = await api.open("GET /jobs/{id}/events", {
        params: { id: jobId },
        headers: { accept: "text/event-stream", ...(lastEventId && { "last-event-id": lastEventId }) },
        signal,
      });
      onLink("live");
      for await (const { id, type, data } of readEvents(body ?? new ReadableStream())) {
        failures = 0;
        lastEventId = id;
        const event = { type, ...JSON.parse(data) } as JobEvent; // the server wrote it by the contract's schema
        yield event;
        if (isLast(event)) return;
      }
      throw new ConnectionLost();
    } catch (thrown) {
      signal.throwIfAborted();
      const problem = thrown instanceof TypeError ? new ConnectionLost(thrown) : thrown; // a stream that broke
      failures += 1;
      if (!isRetryable(problem) || failures > maxFailures) throw problem;
      onLink(navigator.onLine === false ? "offline" : "reconnecting");
      await waitForNetwork(retryDelayMs({ attempt: failures }), signal);
    }
  }
}

function isLast(event: JobEvent): boolean {
  if (event.type === "file") return false;
  const state = event.type === "job" ? event.state : event.job.state;
  return state !== "queued" && state !== "running";
}
