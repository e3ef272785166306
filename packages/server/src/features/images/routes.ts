import { DomainError, endpoints, type OperationName } from "@tintype/contract";
import { sniffBytes, sniffFormat } from "@tintype/imaging";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, ownersOf } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";
import { readHead } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { failureOf, succeeded } from "../jobs/job.ts";
import type { Jobs, NewJob } from "../jobs/jobs.ts";
import type { LiveJob } from "../jobs/live-job.ts";
import { requireEnded } from "../jobs/routes.ts";
import { sendFile, sendResult } from "./deliver.ts";
import { receiveJob } from "./submit.ts";

export type ImageRoutes = { jobs: Jobs; blobs: Blobs; countBytes(direction: "in" | "out", bytes: number): void };

/** The five operations, upload and preview: one path for all. */
export function mountImages(mount: Mount, { jobs, blobs, countBytes }: ImageRoutes): void {
  const use = {
    jobs,
    blobs,
    countBytesIn: (bytes: number) => countBytes("in", bytes),
    countBytesOut: (bytes: number) => countBytes("out", bytes),
  };

  const work = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, signal, task }: { caller: Caller; signal: AbortSignal; task: NewJob["operation"] },
  ) => {
    const isAsync = /(^|[,;\s])respond-async($|[,;\s])/i.test(String(request.headers["prefer"] ?? ""));
    const received = await receiveJob(request, { task, caller, waited: !isAsync, use });
    const job = await begin(received);
    if (isAsync)
      return reply
        .code(202)
        .headers({
          location: `/api/jobs/${job.record.id}`,
          "preference-applied": "respond-async",
          ...creditHeaders(job),
        })
        .send(job.view());
    // Whoever has a key will ask again for what they paid for; nobody else can.
    if (!received.idempotency) stopOnHangUp(job, { signal, owner: caller.key });
    const record = await job.ended.promise;
    return sendResult(record, {
      reply,
      credits: task === "upload" || task === "preview" ? undefined : job.credits,
      use,
    });
  };

  const begin = async (received: NewJob): Promise<LiveJob> => {
    try {
      const [only] = received.files;
      // One file that cannot be worked on is an answer, not a job.
      if (received.files.length === 1 && only?.state === "failed") throw failureOf(only);
      if (received.files.every((file) => !succeeded(file) && file.state === "failed"))
        throw new DomainError("nothing-succeeded", {
          detail: `None of the ${received.files.length} files is a picture we can read.`,
        });
      return await jobs.begin(received);
    } catch (problem) {
      await blobs.remove(received.id);
      throw problem;
    }
  };

  const stopOnHangUp = (job: LiveJob, { signal, owner }: { signal: AbortSignal; owner: string }) => {
    const stop = () => void jobs.cancel(job.record.id, [owner]).catch(() => {});
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  };

  for (const row of [
    endpoints.compress,
    endpoints.resize,
    endpoints.upscale,
    endpoints.removeBackground,
    endpoints.convert,
    endpoints.upload,
    endpoints.preview,
  ])
    mount(row, ({ request, reply, caller, signal }) => work(request, reply, { caller, signal, task: row.form.task }));

  mount(endpoints.jobResult, async ({ params, caller, reply }) => {
    const record = await jobs.find(params.id, ownersOf(caller));
    requireEnded(record);
    return sendResult(record, { reply, credits: undefined, use });
  });
  mount(endpoints.jobFile, async ({ params, caller, reply }) =>
    sendFile(await jobs.find(params.id, ownersOf(caller)), { index: Number(params.index), reply, use }),
  );

  mount(endpoints.detectSourceFormat, async ({ request }) => {
    const format = sniffFormat(await readHead(request, sniffBytes));
    if (!format) throw new DomainError("not-an-image");
    return { source_format: format };
  });
}

const creditHeaders = ({ credits, record }: LiveJob) =>
  credits && isCharged(record.operation)
    ? {
        "x-credits-charged": credits.charged,
        "x-credits-remaining": credits.remaining,
        "x-credits-limit": credits.limit,
      }
    : {};
const isCharged = (task: NewJob["operation"]): task is OperationName => task !== "upload" && task !== "preview";
