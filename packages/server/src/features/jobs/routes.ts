import { DomainError, endpoints, isFinal, type Job, type JobEvent } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ownersOf } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";
import type { JobRecord } from "./job.ts";
import type { Jobs } from "./jobs.ts";
import type { LiveJob } from "./live-job.ts";

/** Proxies and browsers give up on a silent connection after a minute at the earliest. */
const heartbeatMs = 15_000;

export function mountJobs(mount: Mount, { jobs }: { jobs: Jobs }): void {
  mount(endpoints.getJob, async ({ params, caller }) =>
    jobs.view(await jobs.find(params.id, ownersOf(caller)), caller),
  );

  mount(endpoints.cancelJob, async ({ params, caller }) =>
    jobs.view(await jobs.cancel(params.id, ownersOf(caller)), caller),
  );

  mount(endpoints.jobEvents, async ({ params, caller, request, reply }) => {
    const record = await jobs.find(params.id, ownersOf(caller));
    streamEvents(record, { snapshot: await jobs.view(record, caller), live: jobs.live(params.id), request, reply });
    return reply;
  });
}

/**
 * Server-sent events: a snapshot, then what changes, until the job has ended. Who comes back with the id of the
 * newest event is told only what is new; whoever missed some gets a snapshot, which says it all.
 */
function streamEvents(
  record: JobRecord,
  {
    snapshot,
    live,
    request,
    reply,
  }: { snapshot: Job; live: LiveJob | undefined; request: FastifyRequest; reply: FastifyReply },
): void {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  const send = (event: JobEvent, id: number) =>
    raw.write(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const seen = Number(request.headers["last-event-id"] ?? Number.NaN);
  if (!live || seen !== live.eventId)
    send({ type: "snapshot", job: live?.view() ?? snapshot }, live?.eventId ?? Number.MAX_SAFE_INTEGER);
  if (!live || isFinal(record.state)) {
    raw.end();
    return;
  }
  const heartbeat = setInterval(() => raw.write(": still here\n\n"), heartbeatMs);
  const unwatch = live.watch((event, id) => {
    send(event, id);
    if (event.type === "job" && isFinal(event.state)) raw.end();
  });
  // A server that closes while the job is left to its next start ends the stream; the client asks again.
  live.ended.promise.catch(() => {}).finally(() => raw.end());
  raw.once("close", () => {
    clearInterval(heartbeat);
    unwatch();
  });
}

/** @throws job-not-finished */
export function requireEnded(record: JobRecord): void {
  if (!isFinal(record.state)) throw new DomainError("job-not-finished", { retryAfterSeconds: 1 });
}
