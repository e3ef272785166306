import { resumeEvents } from "@tintype/client/core";
import type { JobEvent } from "@tintype/contract";
import { type Api, ConnectionLost, isRetryable } from "@tintype/contract/api";
import { isOffline, retryDelayMs, waitForNetwork } from "../../../lib/wait.ts";
import type { Link } from "../state/studio-state.ts";

/** Consecutive failed attempts before the user is asked: about 40 s while the network is up. */
const maxFailures = 8;
/** A connection that breaks sooner than this counts as part of the previous interruption. */
const stableConnectionMs = 10_000;

export type WatchOptions = {
  api: Api;
  jobId: string;
  /** `isNews`: a new interruption, not another attempt in the same one. */
  onLink(link: Exclude<Link, "lost">, change: { isNews: boolean }): void;
  signal: AbortSignal;
  /** A monotonic clock, ms. */
  now?: () => number;
};

/**
 * Yields a job's events up to its last one. A broken connection is resumed after the last event received.
 * @throws ApiProblem (404: the job is gone), ConnectionLost after too many attempts.
 */
export async function* watchJob({
  api,
  jobId,
  onLink,
  signal,
  now = () => performance.now(),
}: WatchOptions): AsyncGenerator<JobEvent> {
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
      const problem = thrown instanceof TypeError ? new ConnectionLost(thrown) : thrown; // the stream broke
      if (!isRetryable(problem) || failures > maxFailures) throw problem;
      const isNews = now() - openedAtMs >= stableConnectionMs || !hasBroken;
      hasBroken = true;
      openedAtMs = Number.POSITIVE_INFINITY;
      onLink((await isOffline()) ? "offline" : "reconnecting", { isNews });
      await waitForNetwork(retryDelayMs({ attempt: failures }), signal);
    },
  });
  for await (const { type, data } of events) {
    const event = { type, ...JSON.parse(data) } as JobEvent; // the server writes it by the contract's schema
    yield event;
    if (isLast(event)) return;
  }
  // The server closed the stream after all events, but the last one was lost with a connection.
  yield { type: "snapshot", job: await api.call("GET /jobs/{id}", { params: { id: jobId }, signal }) };
}

function isLast(event: JobEvent): boolean {
  if (event.type === "file") return false;
  const state = event.type === "job" ? event.state : event.job.state;
  return state !== "queued" && state !== "running";
}
