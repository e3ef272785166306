import { sleep } from "@tintype/client/core";
import type { Credits } from "@tintype/contract";
import { ApiProblem, ConnectionLost, isRetryable, sentenceOf } from "@tintype/contract/api";
import type { BatchActions } from "../../../lib/credit-shortage.ts";
import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import { randomId } from "../../../lib/random-id.ts";
import { isServerReachable } from "../../../lib/wait.ts";
import { knownUsage } from "../state/credits.ts";
import type { Effect } from "../state/effect.ts";
import { formFields } from "../state/form-fields.ts";
import type { Obstacle } from "../state/obstacle.ts";
import { type Order, priceOf, sentSteps } from "../state/order.ts";
import type { PictureId } from "../state/picture.ts";
import { phaseOf } from "../state/run-machine.ts";
import type { Refusal } from "../state/studio-event.ts";
import { limitsOf } from "../state/studio-state.ts";
import type { ResultCache } from "./cache/create-result-cache.ts";
import { followJob } from "./follow-job.ts";
import { isHeld } from "./held-results.ts";
import { claimJob, type RememberedJobs } from "./remembered-jobs.ts";
import { type SendOptions, sendPictures } from "./send-pictures.ts";
import type { StudioParts } from "./studio-parts.ts";

type EffectOf<Name extends Effect["do"]> = Extract<Effect, { do: Name }>;

/**
 * Limits on concurrent event streams and downloads. Browsers open six connections per host, and previews need one of them. Each picture
 * with steps of its own is a separate job, so there may be many.
 */
const maxStreams = 3;
const maxDownloads = 2;
/** Polling interval while the server cannot be reached. */
const pollIntervalMs = 10_000;

/** Performs the state machine's effects and dispatches their outcomes. The only code that sends batches to the server. */
export function createPerformer(
  { store, api, host }: StudioParts,
  {
    cache,
    remembered,
    releases,
  }: { cache: ResultCache; remembered: RememberedJobs; releases: Map<string, () => void> },
): (effect: Effect) => void {
  const { read, dispatch } = store;
  const aborts = new Map<number, AbortController>();
  /** Makes batch ids unique across visits, to group the remembered jobs of one submit. */
  const visit = randomId();
  const limitDownloads = limitConcurrency(maxDownloads);

  const batchActions = (ids: ReadonlySet<PictureId>): BatchActions => ({
    run: (count) => dispatch({ type: "submitted", count, ids }),
    // Waits until the studio knows the signed-in caller, whose limits then apply.
    runSignedIn() {
      const isSignedIn = () => (read().caller?.tier ?? "guest") !== "guest";
      if (isSignedIn()) return dispatch({ type: "submitted", ids });
      const unsubscribe = store.subscribe(() => {
        if (!isSignedIn()) return;
        unsubscribe();
        dispatch({ type: "submitted", ids });
      });
    },
  });

  function abortOf(batch: number): AbortController {
    const abort = aborts.get(batch) ?? new AbortController();
    aborts.set(batch, abort);
    return abort;
  }

  async function prepare({ batch, pictures, orders, mayReuse, count }: EffectOf<"prepare">) {
    try {
      const keys = await cache.keysOf(pictures, orders);
      const reused = mayReuse ? await cache.findResults(pictures, keys) : [];
      const reusedIds = new Set(reused.map(({ id }) => id));
      const fresh = pictures.filter(({ id }) => !reusedIds.has(id)).slice(0, count);
      const freshIds = new Set(fresh.map(({ id }) => id));
      const chosen = new Map([...orders].filter(([id]) => reusedIds.has(id) || freshIds.has(id)));
      const [first] = chosen.values();
      const isPaid = [...freshIds].some((id) => !read().freeIds?.has(id));
      const shortage = first && isPaid ? await findShortage(freshIds, priceOf(first.steps)) : undefined;
      dispatch({ type: "prepared", batch, reused, orders: chosen, keys, shortage });
    } catch (problem) {
      dispatch({ type: "preparation-failed", batch });
      throw problem;
    }
  }

  async function findShortage(
    ids: ReadonlySet<PictureId>,
    creditsEach: number,
  ): Promise<Obstacle | "shown" | undefined> {
    const pictureCount = ids.size;
    const filesPerBatch = limitsOf(read())?.limits.filesPerBatch;
    const shortage = await host.findShortage({
      pictureCount,
      creditsEach,
      usage: knownUsage(read()),
      filesPerBatch,
      ...batchActions(ids),
    });
    if (!shortage || shortage === "shown") return shortage;
    const { sentence, left } = shortage;
    const remedies = [
      ...(left > 0 ? [{ kind: "send", count: left, ids, label: `Run ${left} of ${pictureCount}` } as const] : []),
      { kind: "link", to: "/pricing", label: "See plans" } as const,
    ];
    return { field: "service", sentence, remedies };
  }

  async function send({ batch, order, files }: EffectOf<"send">) {
    const idempotencyKey = randomId();
    const { signal } = abortOf(batch);
    // Stored before the server answers: a page that is reloaded right after the answer finds the originals.
    void cache.putBatch(idempotencyKey, { ...order, sources: files });
    let isAccepted = false;
    try {
      const sent = await sendPictures({
        api,
        files,
        idempotencyKey,
        signal,
        ...requestOf(order),
        onProgress: (sentBytes, totalBytes) => dispatch({ type: "upload-progressed", batch, sentBytes, totalBytes }),
        onDelay: (delay) => dispatch({ type: "upload-delayed", batch, ...delay }),
      });
      isAccepted = sent.kind === "job" && !signal.aborted;
      if (sent.kind === "job") dispatch({ type: "part-accepted", batch, jobId: sent.jobId, idempotencyKey });
      else dispatch({ type: "part-unneeded", batch, reason: sent.message });
    } catch (problem) {
      dispatch({ type: "part-refused", batch, refusal: refusalOf(problem) });
    }
    if (!isAccepted) void cache.deleteBatch(idempotencyKey);
  }

  async function remember({ batch, jobId, idempotencyKey, tool, count }: EffectOf<"remember">) {
    remembered.add({ jobId, tool, batch: `${visit}.${batch}`, idempotencyKey, count });
    const release = await claimJob(jobId);
    if (release) releases.set(jobId, release);
  }

  async function follow({ batch, jobs, keys }: EffectOf<"follow">) {
    const { signal } = abortOf(batch);
    // If one job's event stream is lost, stop the others too: all jobs are followed again together.
    const streams = new AbortController();
    const stopped = AbortSignal.any([signal, streams.signal]);
    const limitStreams = limitConcurrency(maxStreams);
    const followed = jobs.map(({ id, ids }) =>
      limitStreams(() => followJob({ api, dispatch, batch, jobId: id, ids, keys, limitDownloads, signal: stopped })),
    );
    try {
      await Promise.all(followed);
      aborts.delete(batch);
      dispatch({ type: "followed", batch });
    } catch (problem) {
      streams.abort();
      if (signal.aborted) return;
      // While the server restarts, a proxy in front of it answers with a retryable error.
      if (isRetryable(problem)) dispatch({ type: "connection-lost", batch });
      else dispatch({ type: "follow-refused", batch, refusal: refusalOf(problem) });
    }
  }

  let waiting: AbortController | undefined;
  /** Jobs survive a restart of the server, so poll until it is back. The user can still press "Try again" or "Cancel". */
  async function awaitServer({ batch }: EffectOf<"await-server">) {
    waiting?.abort();
    waiting = new AbortController();
    const signal = AbortSignal.any([abortOf(batch).signal, waiting.signal]);
    const { caller } = read();
    const isLost = () => !signal.aborted && phaseOf(read()) === "lost";
    // For any other caller the job does not exist, and the page would forget it.
    const mayReconnect = () => isLost() && read().caller?.id === caller?.id;
    while (isLost()) {
      await sleep(pollIntervalMs, signal).catch(() => undefined); // aborted: no longer lost
      if (mayReconnect() && (await isServerReachable()) && mayReconnect()) dispatch({ type: "reconnected" });
    }
  }

  /** Keeps a job with a held result until the user has decided, since a reload needs it too. */
  function forget(jobId: string) {
    if (isHeld(read().pictures, jobId)) return;
    const { idempotencyKey = jobId } = remembered.list().find((one) => one.jobId === jobId) ?? {};
    remembered.remove(jobId);
    releases.get(jobId)?.();
    releases.delete(jobId);
    void cache.deleteBatch(idempotencyKey);
  }

  async function endJobs({ batch, jobIds }: EffectOf<"end-jobs">) {
    const credits = (await Promise.all(jobIds.map(endJob))).filter((one) => one !== undefined);
    const [first] = credits;
    if (!first) return;
    const charged = credits.reduce((sum, one) => sum + one.charged, 0);
    // Each answer includes the refunds so far, so the highest balance is the latest.
    const remaining = Math.max(...credits.map((one) => one.remaining));
    dispatch({ type: "credits-refunded", batch, credits: { ...first, charged, remaining } });
  }

  async function endJob(id: string): Promise<Credits | undefined> {
    try {
      return (await api.call("DELETE /jobs/{id}", { params: { id } })).credits;
    } catch (problem) {
      // The job is gone, or the server cannot be reached and will end the job and refund its credits by itself.
      if (!(problem instanceof ApiProblem) && !(problem instanceof ConnectionLost)) reportError(problem);
      return undefined;
    }
  }

  /** The outcome arrives with the job's events. If the server cannot be reached, the picture goes on and can be cancelled again. */
  async function cancelFile({ jobId, index }: EffectOf<"cancel-file">) {
    try {
      await api.call("DELETE /jobs/{id}/files/{index}", { params: { id: jobId, index } });
    } catch (problem) {
      if (!(problem instanceof ApiProblem) && !(problem instanceof ConnectionLost)) reportError(problem);
    }
  }

  async function perform(effect: Effect): Promise<unknown> {
    switch (effect.do) {
      case "prepare":
        return prepare(effect);
      case "send":
        return send(effect);
      case "stop":
        abortOf(effect.batch).abort();
        return aborts.delete(effect.batch);
      case "remember":
        return remember(effect);
      case "follow":
        return follow(effect);
      case "await-server":
        return awaitServer(effect);
      case "forget":
        return effect.jobIds.forEach(forget);
      case "end-jobs":
        return endJobs(effect);
      case "cancel-file":
        return cancelFile(effect);
      case "show-shortage":
        return host.outOfCredits({
          pictureCount: effect.ids.length,
          sentence: effect.sentence,
          ...batchActions(new Set(effect.ids)),
        });
    }
  }

  return (effect) => {
    perform(effect).catch(reportError);
  };
}

/** The endpoint for a part of a batch and its fields: the tool's form, or a recipe. */
function requestOf(order: Order): Pick<SendOptions, "path" | "fields"> {
  const steps = sentSteps(order);
  if (steps.length === 1) return { path: `/${order.tool}/`, fields: formFields(order.tool, order.settings) };
  return { path: "/recipes/run/", fields: { recipe: JSON.stringify({ steps }) } };
}

function refusalOf(problem: unknown): Refusal {
  const { code, status, reference } = problem instanceof ApiProblem ? problem : {};
  return { sentence: sentenceOf(problem), code, status, reference };
}
