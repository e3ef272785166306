import { type Camel, toCamel } from "./casing.ts";
import type { Connection } from "./connection.ts";
import { sleep } from "./deadline.ts";
import { TintypeError } from "./error.ts";
import { readEvents } from "./event-stream.ts";
import * as sdk from "./generated/sdk.gen.ts";
import type { JobEvent as ApiJobEvent } from "./generated/types.gen.ts";
import { asTintypeError, backoffMs } from "./retry.ts";

export type Job = Camel<Awaited<ReturnType<typeof sdk.getJob<true>>>["data"]>;
/** An event of a job, and how far the whole job is, 0 to 1. */
export type JobEvent = Camel<ApiJobEvent> & { progress: number };

export type EventOptions = {
  signal?: AbortSignal | undefined;
  retries?: number | undefined;
};

const isOver = (state: Job["state"]) => state !== "queued" && state !== "running";

/** A job's events until its end. A stream that breaks off goes on after the last event that came. */
export async function* jobEvents(
  { client, retries: usual }: Connection,
  id: string,
  { signal, retries = usual }: EventOptions = {},
): AsyncGenerator<JobEvent, void, undefined> {
  const files = new Map<number, number>();
  const tell = (event: Camel<ApiJobEvent>): JobEvent => {
    if (event.type === "snapshot") for (const file of event.job.files) files.set(file.index, file.progress);
    if (event.type === "file") files.set(event.file.index, event.file.progress);
    if (event.type === "job" && isOver(event.state)) return { ...event, progress: 1 };
    const done = [...files.values()].reduce((sum, progress) => sum + progress, 0);
    return { ...event, progress: event.type === "snapshot" ? event.job.progress : done / Math.max(1, files.size) };
  };
  let last: string | undefined;
  for (let tries = 0; ; tries++) {
    try {
      const headers = last === undefined ? {} : { "Last-Event-ID": last };
      const { response } = await client.get({
        ...{ url: "/api/jobs/{id}/events", path: { id }, headers, parseAs: "stream", throwOnError: true },
        ...{ security: [{ scheme: "bearer", type: "http" }], signal: signal ?? null },
      });
      if (response.status === 204 || !response.body) {
        // The end was told, and its event was lost with the connection.
        const { data } = await sdk.getJob({ client, path: { id }, throwOnError: true, signal: signal ?? null });
        return yield tell({ type: "snapshot", job: toCamel(data) });
      }
      for await (const { id: seen, data } of readEvents(response.body)) {
        tries = 0;
        last = seen;
        const event = toCamel(JSON.parse(data) as ApiJobEvent); // as the API describes the stream
        yield tell(event);
        if (isOver(stateOf(event) ?? "running")) return;
      }
      throw new TintypeError({ code: "network", message: "The stream of events broke off.", retryable: true });
    } catch (thrown) {
      signal?.throwIfAborted();
      const problem = asTintypeError(thrown);
      if (!problem?.retryable || tries >= retries) throw problem ?? thrown;
      await sleep(problem.retryAfterMs ?? backoffMs(tries), signal);
    }
  }
}

const stateOf = (event: Camel<ApiJobEvent>): Job["state"] | undefined => {
  if (event.type === "snapshot") return event.job.state;
  return event.type === "job" ? event.state : undefined;
};
