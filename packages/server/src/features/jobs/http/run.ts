import { setTimeout as wait } from "node:timers/promises";
import { DomainError } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../../http/caller.ts";
import { readPrefer } from "../../../http/prefer.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { JobCost } from "../../credits/allowance.ts";
import { creditHeaders, sendResult, sendToOutputUrl } from "../deliver/deliver.ts";
import { type DeliveryDependencies, failureOfAll } from "../deliver/result.ts";
import type { Order } from "../order/order.ts";
import { receiveJob, type SubmitDependencies } from "../order/receive-job.ts";
import type { BeginOutcome, NewJob } from "../queue/begin.ts";
import { failureOf, type JobRecord, succeeded } from "../record/job.ts";

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
    const { respond, isKept = false } = order;
    const { isAsync, waitMs, wantsPicture, cancelsOnDisconnect, applied } = readPrefer(
      respond ? undefined : request.headers["prefer"],
    );
    const isWaited = !isAsync && waitMs === undefined && !isKept;
    const received = await receiveJob(request, { order, caller, waited: isWaited, signal, dependencies });
    const begun = await beginReceived({
      ...received,
      waited: isWaited || cancelsOnDisconnect,
      isWatched: waitMs !== undefined || isKept,
      followsRunning: !respond && !isWaited,
    });
    if (applied !== undefined) reply.header("preference-applied", applied);
    // A caller who waits for a picture must not get a job instead.
    if (begun.kind === "running" && (respond || isWaited))
      throw new DomainError("idempotency-in-progress", { retryAfterSeconds: 2 });
    if (begun.kind === "running") {
      const { id } = begun.record;
      if (cancelsOnDisconnect) onHangUp(signal, () => void jobs.hangUp(id, { isKeyed: false }));
      return acceptJob(reply, begun.record, { caller });
    }
    const { id, credits } = begun;
    if (isAsync) return acceptJob(reply, await jobs.find(id, [caller.key]), { caller, credits });
    // With a key the caller can repeat the request for the paid result. Without one, or if the caller prefers it, the job
    // ends with the connection.
    const watching = new AbortController();
    const isKeyed = received.idempotency !== undefined;
    if (!isKeyed || cancelsOnDisconnect) onHangUp(signal, () => void jobs.hangUp(id, { isKeyed }), watching.signal);
    try {
      const hasEnded = await endsWithin(begun.ended, waitMs);
      const { outputUrl } = received;
      // A result with an output_url is sent in the background, unless the caller waits for the whole job.
      if (!hasEnded || (outputUrl !== undefined && !isWaited)) {
        begun.stopWatching();
        if (cancelsOnDisconnect)
          reply.raw.once("finish", () => jobs.outliveConnection(id, { isCharged: received.creditsPerFile > 0 }));
        return acceptJob(reply, await jobs.find(id, [caller.key]), { caller, credits });
      }
      if (respond) {
        const record = await jobs.find(id, [caller.key]);
        if (!record.files.some(succeeded)) throw failureOfAll(record.files);
        if (isKept) watching.abort();
        return await respond(record, { reply, credits: credits && creditsAfterEnd(credits, record) });
      }
      const delivery = {
        reply,
        credits: (record: JobRecord) => credits && creditsAfterEnd(credits, record),
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

  const acceptJob = async (
    reply: FastifyReply,
    record: JobRecord,
    { caller, credits }: { caller: Caller; credits?: JobCost | undefined },
  ) => {
    // A repeat that joins a running job is not charged for it.
    const joined = credits ?? (await jobs.credits(record, caller));
    const cost = joined && { ...joined, charged: credits ? credits.charged : 0 };
    return reply
      .code(202)
      .headers({ location: `/api/jobs/${record.id}`, ...(cost ? creditHeaders(cost) : {}) })
      .send(await jobs.view(record, caller));
  };

  const beginReceived = async (received: NewJob): Promise<BeginOutcome> => {
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

  return run;
}

function onHangUp(signal: AbortSignal, act: () => void, watching?: AbortSignal): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true, ...(watching ? { signal: watching } : {}) });
}

/** Whether it resolves within the limit in ms. Without a limit, waits for it. Rejects if it does. */
async function endsWithin(ended: Promise<void>, limitMs: number | undefined): Promise<boolean> {
  if (limitMs === undefined) return ended.then(() => true);
  const timer = new AbortController();
  const late = wait(limitMs, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([ended.then(() => true), late]).finally(() => timer.abort());
}

/** The credits after the job's end, including refunds. */
function creditsAfterEnd({ charged, used, remaining, limit }: JobCost, record: JobRecord): JobCost {
  const returned = charged - record.charged;
  return {
    charged: record.charged,
    used: used - returned,
    remaining: remaining === null ? null : remaining + returned,
    limit,
  };
}
