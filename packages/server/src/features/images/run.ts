import { setTimeout as wait } from "node:timers/promises";
import { type Credits, DomainError } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import { readPrefer } from "../../http/prefer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { BeginOutcome, NewJob } from "../jobs/begin.ts";
import { failureOf, type JobRecord, keepsPictures, succeeded } from "../jobs/job.ts";
import { creditHeaders, sendResult, sendToOutputUrl } from "./deliver.ts";
import { type DeliveryDependencies, failureOfAll } from "./result.ts";
import { type Order, receiveJob, type SubmitDependencies } from "./submit.ts";

export type RunDependencies = SubmitDependencies & DeliveryDependencies & { clock: Clock };
/** Runs the operation of a form, and responds with the result or with the job. */
export type Run = (
  request: FastifyRequest,
  reply: FastifyReply,
  order: { caller: Caller; signal: AbortSignal; order: Order },
) => Promise<FastifyReply>;

export function createRun(dependencies: RunDependencies): Run {
  const { jobs } = dependencies;
  const run: Run = async (request, reply, { caller, signal, order }) => {
    const { answer, isKept = false } = order;
    const { isAsync, waitMs, wantsPicture, applied } = readPrefer(answer ? undefined : request.headers["prefer"]);
    const isWaited = !isAsync && waitMs === undefined && !isKept;
    const received = await receiveJob(request, { order, caller, waited: isWaited, signal, dependencies });
    const begun = await begin({ ...received, isWatched: waitMs !== undefined || isKept });
    if (applied !== undefined) reply.header("preference-applied", applied);
    // A caller who waits for a picture must not get a job instead.
    if (begun.kind === "running" && (answer || isWaited))
      throw new DomainError("idempotency-in-progress", { retryAfterSeconds: 2 });
    if (begun.kind === "running") return accept(reply, begun.record, { caller });
    const { id, credits } = begun;
    if (isAsync) return accept(reply, await jobs.find(id, [caller.key]), { caller, credits });
    // With a key the caller can repeat the request for the paid result. Without one the job ends with the connection.
    const watching = new AbortController();
    if (!received.idempotency) stopOnHangUp(id, { signal, owner: caller.key, watching: watching.signal });
    try {
      const hasEnded = await within(begun.ended, waitMs);
      const { outputUrl } = received;
      // A picture kept for edits outlives the response, even an interrupted one.
      if (hasEnded && keepsPictures(received.steps)) watching.abort();
      // A result with an output_url is sent in the background, unless the caller waits for the whole job.
      if (!hasEnded || (outputUrl !== undefined && !isWaited)) {
        begun.stopWatching();
        return accept(reply, await jobs.find(id, [caller.key]), { caller, credits });
      }
      if (answer) {
        const record = await jobs.find(id, [caller.key]);
        if (!record.files.some(succeeded)) throw failureOfAll(record.files);
        if (isKept) watching.abort();
        return await answer(record, { reply, credits: credits && settled(credits, record) });
      }
      const delivery = {
        reply,
        credits: (record: JobRecord) => credits && settled(credits, record),
        dependencies,
        wantsPicture,
      };
      return dependencies.urls && outputUrl !== undefined
        ? await sendToOutputUrl(id, { ...delivery, outputUrl, outputs: dependencies.urls.outputs })
        : await sendResult(id, delivery);
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
    // A repeat that joins a running job is not charged for it.
    const cost = credits ?? (view.credits && { ...view.credits, charged: 0 });
    return reply
      .code(202)
      .headers({ location: `/api/jobs/${record.id}`, ...(cost ? creditHeaders(cost) : {}) })
      .send(view);
  };

  const begin = async (received: NewJob): Promise<BeginOutcome> => {
    try {
      const failures = received.files.flatMap(({ ending }) => (ending?.state === "failed" ? [ending] : []));
      const [only] = failures;
      if (only && failures.length === received.files.length)
        // A single file that cannot be processed is an error response, not a job.
        throw received.files.length === 1
          ? failureOf(only)
          : new DomainError("nothing-succeeded", {
              detail: `None of the ${received.files.length} files is an image we can read.`,
            });
      const begun = await jobs.begin(received);
      if (begun.kind === "running") await jobs.drop(received.id);
      return begun;
    } catch (problem) {
      await jobs.drop(received.id);
      // The database may have gone down after the job started.
      if (received.waited && !received.idempotency && !(problem instanceof DomainError)) jobs.abandon(received.id);
      throw problem;
    }
  };

  const stopOnHangUp = (
    id: string,
    { signal, owner, watching }: { signal: AbortSignal; owner: string; watching: AbortSignal },
  ) => {
    // The caller does not pay for a database outage: the job ends once the database is back.
    const stop = () => void jobs.cancel(id, [owner]).catch(() => jobs.abandon(id));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true, signal: watching });
  };

  return run;
}

/** Whether it resolves within the limit in ms. Without a limit, waits for it. Rejects if it does. */
async function within(ended: Promise<void>, limitMs: number | undefined): Promise<boolean> {
  if (limitMs === undefined) return ended.then(() => true);
  const timer = new AbortController();
  const late = wait(limitMs, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([ended.then(() => true), late]).finally(() => timer.abort());
}

/** The credits after the job's end, including refunds. */
const settled = ({ charged, remaining, limit }: Credits, record: JobRecord): Credits => ({
  charged: record.charged,
  remaining: remaining + charged - record.charged,
  limit,
});
