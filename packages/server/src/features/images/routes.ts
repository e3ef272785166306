import { setTimeout as wait } from "node:timers/promises";
import { type Credits, DomainError, type TaskName } from "@tintype/contract";
import { endpoints, taskEndpoints } from "@tintype/contract/schemas";
import { sniffBytes, sniffFormat } from "@tintype/imaging";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, ownersOf } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";
import { readPrefer } from "../../http/prefer.ts";
import { readHead } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Begun, NewJob } from "../jobs/begin.ts";
import { requireEnded } from "../jobs/begin.ts";
import { failureOf, type JobRecord } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { sendElsewhere, sendFile, sendResult } from "./deliver.ts";
import type { PreviewAllowance } from "./preview-allowance.ts";
import { receiveJob } from "./submit.ts";
import type { UrlUse } from "./url-input.ts";

export type ImageRoutes = {
  jobs: Jobs;
  blobs: Blobs;
  previews: PreviewAllowance;
  urls: UrlUse | undefined;
  networkOf(address: string): string;
  countBytes(direction: "in" | "out", bytes: number): void;
};

/** Every task of the contract, by one path. */
export function mountImages(mount: Mount, { jobs, blobs, previews, urls, networkOf, countBytes }: ImageRoutes): void {
  const use = {
    ...{ jobs, blobs, previews, urls, networkOf },
    countBytesIn: (bytes: number) => countBytes("in", bytes),
    countBytesOut: (bytes: number) => countBytes("out", bytes),
  };

  const work = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, signal, task }: { caller: Caller; signal: AbortSignal; task: TaskName },
  ) => {
    const { isAsync, waitMs, applied } = readPrefer(request.headers["prefer"]);
    const isWaited = !isAsync && waitMs === undefined;
    const received = await receiveJob(request, { task, caller, waited: isWaited, signal, use });
    const begun = await begin({ ...received, isHeard: waitMs !== undefined });
    if (applied !== undefined) reply.header("preference-applied", applied);
    if (begun.kind === "running") return accept(reply, begun.record, { caller });
    const { id, credits } = begun;
    if (isAsync) return accept(reply, await jobs.find(id, [caller.key]), { caller, credits });
    // A caller with a key asks again for the paid result; without a key none can.
    if (!received.idempotency) stopOnHangUp(id, { signal, owner: caller.key });
    try {
      const hasEnded = await within(begun.ended, waitMs);
      const { outputUrl } = received;
      // A result that goes to an address goes by itself, unless the whole job is waited for.
      if (!hasEnded || (outputUrl !== undefined && !isWaited)) {
        begun.stopHearing();
        return accept(reply, await jobs.find(id, [caller.key]), { caller, credits });
      }
      const telling = { reply, credits: (record: JobRecord) => credits && settled(credits, record), use };
      return urls && outputUrl !== undefined
        ? await sendElsewhere(id, { ...telling, outputUrl, outputs: urls.outputs })
        : await sendResult(id, telling);
    } catch (problem) {
      if (isWaited && !received.idempotency) jobs.abandon(id);
      throw problem;
    }
  };

  const accept = async (
    reply: FastifyReply,
    record: JobRecord,
    { caller, credits }: { caller: Caller; credits?: Credits | undefined },
  ) => {
    const view = await jobs.view(record, caller);
    // Whoever is led to a job that is under way is not charged for it.
    const cost = credits ?? (view.credits && { ...view.credits, charged: 0 });
    return reply
      .code(202)
      .headers({ location: `/api/jobs/${record.id}`, ...(cost ? creditHeaders(cost) : {}) })
      .send(view);
  };

  const begin = async (received: NewJob): Promise<Begun> => {
    try {
      const failures = received.files.flatMap(({ ending }) => (ending?.state === "failed" ? [ending] : []));
      const [only] = failures;
      if (only && failures.length === received.files.length)
        // One file that cannot be worked on is an answer, not a job.
        throw received.files.length === 1
          ? failureOf(only)
          : new DomainError("nothing-succeeded", {
              detail: `None of the ${received.files.length} files is a picture we can read.`,
            });
      const begun = await jobs.begin(received);
      if (begun.kind === "running") await jobs.drop(received.id);
      return begun;
    } catch (problem) {
      await jobs.drop(received.id);
      // The database may have gone after it had begun the job.
      if (received.waited && !received.idempotency && !(problem instanceof DomainError)) jobs.abandon(received.id);
      throw problem;
    }
  };

  const stopOnHangUp = (id: string, { signal, owner }: { signal: AbortSignal; owner: string }) => {
    const stop = () => void jobs.cancel(id, [owner]).catch(() => {});
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  };

  for (const row of Object.values(taskEndpoints))
    mount(row, ({ request, reply, caller, signal }) => work(request, reply, { caller, signal, task: row.form.task }));

  mount(endpoints.jobResult, async ({ params, caller, reply }) => {
    const record = await jobs.find(params.id, ownersOf(caller));
    requireEnded(record);
    const cost = await jobs.credits(record, caller);
    return sendResult(record.id, { reply, credits: () => cost, use });
  });
  mount(endpoints.jobFile, async ({ params, caller, reply }) => {
    const record = await jobs.find(params.id, ownersOf(caller));
    const cost = await jobs.credits(record, caller);
    if (cost) reply.headers(creditHeaders(cost));
    return sendFile(record.id, { index: Number(params.index), reply, use });
  });

  mount(endpoints.detectSourceFormat, async ({ request }) => {
    const format = sniffFormat(await readHead(request, sniffBytes));
    if (!format) throw new DomainError("not-an-image");
    return { source_format: format };
  });
}

/** Whether it came within so many ms; without a limit it is waited for. */
async function within(ended: Promise<void>, limitMs: number | undefined): Promise<boolean> {
  if (limitMs === undefined) return ended.then(() => true);
  const patience = new AbortController();
  const late = wait(limitMs, false, { signal: patience.signal }).catch(() => false);
  return Promise.race([ended.then(() => true), late]).finally(() => patience.abort());
}

const creditHeaders = ({ charged, remaining, limit }: Credits) => ({
  "x-credits-charged": charged,
  "x-credits-remaining": remaining,
  "x-credits-limit": limit,
});

/** The credits after the job's end: what came back is there again. */
const settled = ({ charged, remaining, limit }: Credits, record: JobRecord): Credits => ({
  charged: record.charged,
  remaining: remaining + charged - record.charged,
  limit,
});
