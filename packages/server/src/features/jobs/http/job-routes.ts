import { DomainError, isFinal, type JobEvent } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, ownersOf } from "../../../http/caller.ts";
import type { Mount } from "../../../http/endpoint.ts";
import type { Jobs } from "../jobs.ts";
import type { JobRecord } from "../record/job.ts";
import type { Receipts } from "../settle/receipt.ts";
import { createJobStream } from "./job-stream.ts";

/** Proxies and browsers close an idle connection after a minute at the earliest. */
const heartbeatIntervalMs = 15_000;
const maxStreams = 50;

export function mountJobs(mount: Mount, { jobs, receipts }: { jobs: Jobs; receipts: Receipts }): void {
  mount(endpoints.jobReceipt, ({ params, caller }) => receipts.find(params.id, ownersOf(caller)));
  mount(endpoints.receiptKeys, () => receipts.keys());

  mount(endpoints.listJobs, ({ caller, query }) => jobs.list(caller, query));

  mount(endpoints.getJob, async ({ params, caller }) =>
    jobs.view(await jobs.find(params.id, ownersOf(caller)), caller),
  );

  mount(endpoints.cancelJob, async ({ params, caller }) =>
    jobs.view(await jobs.cancel(params.id, ownersOf(caller)), caller),
  );

  mount(endpoints.cancelFile, async ({ params, caller }) =>
    jobs.view(await jobs.cancelFile(params.id, Number(params.index), ownersOf(caller)), caller),
  );

  const streams = new Map<string, number>();
  mount(endpoints.jobEvents, async ({ params, caller, request, reply }) => {
    const record = await jobs.find(params.id, ownersOf(caller));
    // Number("") is 0: treat an empty header as missing.
    const seen = Number(request.headers["last-event-id"] || Number.NaN);
    // EventSource reconnects after the end of a stream, and stops at a 204.
    if (isFinal(record.state) && seen === record.version) return reply.code(204).send();
    const open = streams.get(caller.key) ?? 0;
    if (open >= maxStreams)
      throw new DomainError("too-many-requests", { detail: `You have ${maxStreams} streams of events open already.` });
    streams.set(caller.key, open + 1);
    reply.raw.once("close", () => {
      const left = (streams.get(caller.key) ?? 1) - 1;
      if (left > 0) streams.set(caller.key, left);
      else streams.delete(caller.key);
    });
    await streamEvents(jobs, record, { caller, seen, request, reply });
    return reply;
  });
}

/**
 * Server-sent events: a snapshot, then changes, until the job has ended. A client that reconnects with the last version
 * gets only later events. One that missed a version gets a snapshot.
 */
async function streamEvents(
  jobs: Jobs,
  record: JobRecord,
  { caller, seen, request, reply }: { caller: Caller; seen: number; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
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
  const heartbeat = setInterval(() => raw.write(": still here\n\n"), heartbeatIntervalMs);
  const stream = createJobStream({ jobs, caller, send, seen });
  raw.once("close", () => {
    clearInterval(heartbeat);
    stream.close();
  });
  try {
    await stream.run(record);
  } catch (problem) {
    // The client reconnects and gets a snapshot.
    request.log.warn({ err: problem }, "an event stream was interrupted");
  } finally {
    raw.end();
  }
}
