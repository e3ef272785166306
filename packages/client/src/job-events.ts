import { type Camel, toCamel } from "./casing.ts";
import type { Connection } from "./connection.ts";
import { resumeEvents } from "./event-stream.ts";
import * as sdk from "./generated/sdk.gen.ts";
import type { JobEvent as ApiJobEvent } from "./generated/types.gen.ts";
import { retry } from "./retry.ts";
import { waitForRetry } from "./wait-for-retry.ts";

export type Job = Camel<Awaited<ReturnType<typeof sdk.getJob<true>>>["data"]>;
/** An event of a job, with the progress of the whole job, 0 to 1. */
export type JobEvent = Camel<ApiJobEvent> & { progress: number };

export type EventOptions = {
  signal?: AbortSignal | undefined;
  retries?: number | undefined;
};

const isOver = (state: Job["state"]) => state !== "queued" && state !== "running";

/** A job's events until it ends. A broken stream resumes after the last event received. */
export async function* jobEvents(
  { client, retries: defaultRetries }: Connection,
  id: string,
  { signal, retries = defaultRetries }: EventOptions = {},
): AsyncGenerator<JobEvent, void, undefined> {
  const files = new Map<number, number>();
  const withProgress = (event: Camel<ApiJobEvent>): JobEvent => {
    if (event.type === "snapshot") for (const file of event.job.files) files.set(file.index, file.progress);
    if (event.type === "file") files.set(event.file.index, event.file.progress);
    if (event.type === "job" && isOver(event.state)) return { ...event, progress: 1 };
    const done = [...files.values()].reduce((sum, progress) => sum + progress, 0);
    // In thousandths, as the server's: a sum of fractions would be 0.8400000000000001.
    const whole = Math.round((done / Math.max(1, files.size)) * 1000) / 1000;
    return { ...event, progress: event.type === "snapshot" ? event.job.progress : whole };
  };
  const shared = { client, path: { id }, throwOnError: true, signal: signal ?? null } as const;
  const events = resumeEvents({
    async open(last) {
      const { response } = await client.get({
        ...shared,
        url: "/api/jobs/{id}/events",
        headers: last === undefined ? {} : { "Last-Event-ID": last },
        parseAs: "stream",
        security: [{ scheme: "bearer", type: "http" }],
      });
      return response.status === 204 ? undefined : response.body;
    },
    onFailure: waitForRetry({ signal, retries }),
  });
  for await (const { data } of events) {
    const event = toCamel(JSON.parse(data) as ApiJobEvent); // the API describes the stream so
    yield withProgress(event);
    if (isOver(stateOf(event) ?? "running")) return;
  }
  // The job ended, and its last event was lost with the connection.
  const { data } = await retry(() => sdk.getJob(shared), waitForRetry({ signal, retries }));
  yield withProgress({ type: "snapshot", job: toCamel(data) });
}

const stateOf = (event: Camel<ApiJobEvent>): Job["state"] | undefined => {
  if (event.type === "snapshot") return event.job.state;
  return event.type === "job" ? event.state : undefined;
};
