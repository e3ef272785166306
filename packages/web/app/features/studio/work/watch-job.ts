import { resumeEvents } from "@tintype/client/core";
import type { JobEvent } from "@tintype/contract";
import { type Api, ConnectionLost, isRetryable } from "@tintype/contract/api";
import { isOffline, retryDelayMs, waitForNetwork } from "../../../lib/wait.ts";
import type { Link } from "../state/studio-state.ts";

/** Failed tries in a row after which a person is asked. About 40 s with the network up. */
const maxFailures = 8;
/** A connection that breaks sooner than this belongs to the interruption before it. */
const steadyMs = 10_000;

export type Watching = {
  api: Api;
  jobId: string;
  /** `isNews`: an interruption begins with it, and not the next attempt of one. */
  onLink(link: Exclude<Link, "lost">, told: { isNews: boolean }): void;
  signal: AbortSignal;
  /** Milliseconds since any fixed moment. */
  now?: () => number;
};

/**
 * A job's events up to its last one. A connection that breaks is opened again after the last event heard.
 * @throws ApiProblem (404: the job is gone), ConnectionLost after too many tries.
 */
export async function* watchJob({
  api,
  jobId,
  onLink,
  signal,
  now = () => performance.now(),
}: Watching): AsyncGenerator<JobEvent> {
  let openedAtMs = Number.POSITIVE_INFINITY;
  let hasBroken = false;
  const events = resumeEvents({
    async open(lastEventId) {
      const { body } = await api.open("GET /jobs/{id}/events", {
        params: { id: jobId },
        headers: { accept: "text/event-stream", ...(lastEventId && { "last-event-id": lastEventId }) },
        signal,
      });
      openedAtMs = now();
      onLink("live", { isNews: false });
      return body;
    },
    async onFailure(thrown, failures) {
      signal.throwIfAborted();
      const problem = thrown instanceof TypeError ? new ConnectionLost(thrown) : thrown; // a stream that broke
      if (!isRetryable(problem) || failures > maxFailures) throw problem;
      const isNews = now() - openedAtMs >= steadyMs || !hasBroken;
      hasBroken = true;
      openedAtMs = Number.POSITIVE_INFINITY;
      onLink((await isOffline()) ? "offline" : "reconnecting", { isNews });
      await waitForNetwork(retryDelayMs({ attempt: failures }), signal);
    },
  });
  for await (const { type, data } of events) {
    const event = { type, ...JSON.parse(data) } as JobEvent; // the server wrote it by the contract's schema
    yield event;
    if (isLast(event)) return;
  }
  // The server has sent all events, and the last one was lost with the connection.
  yield { type: "snapshot", job: await api.call("GET /jobs/{id}", { params: { id: jobId }, signal }) };
}

function isLast(event: JobEvent): boolean {
  if (event.type === "file") return false;
  const state = event.type === "job" ? event.state : event.job.state;
  return state !== "queued" && state !== "running";
}
