import { type Credits, text } from "@tintype/contract";
import { ApiProblem, ConnectionLost, sentenceOf } from "@tintype/contract/api";
import { randomId } from "../../../lib/random-id.ts";
import type { KeptWork } from "../kept/create-kept-work.ts";
import { knownUse } from "../state/credit-use.ts";
import { findObstacle } from "../state/find-obstacle.ts";
import { formFields } from "../state/form-fields.ts";
import { settingsFor } from "../state/own-options.ts";
import { type Part, partsOf } from "../state/parts.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import { retryable } from "../state/retryable.ts";
import type { Settings } from "../state/settings.ts";
import { sentSteps, wholeSettings } from "../state/steps.ts";
import type { RunEvent } from "../state/studio-event.ts";
import { isRunning, limitsOf, type ToolSettings } from "../state/studio-state.ts";
import { picturesToSend, priceOf } from "../state/to-send.ts";
import type { StudioParts } from "../studio-parts.ts";
import { findEarlierBatch } from "./find-earlier-batch.ts";
import { followJob } from "./follow-job.ts";
import { claimJob, createRememberedJobs } from "./remembered-jobs.ts";
import { type Batch, type Effect, type Phase, type SentJob, type Signal, stepRun } from "./run-machine.ts";
import { type Sending, sendPictures } from "./send-pictures.ts";

export type Runs = {
  /** `count`: of the pictures that can go, only the first so many. */
  submit(count?: number): Promise<void>;
  /** The latest run's failed or cancelled pictures once more, as that run had them. */
  retry(): Promise<void>;
  /** The latest run's recalled pictures once more, for new credits. */
  runAgain(): Promise<void>;
  cancel(): void;
  /** Listens again after the connection was given up. */
  reconnect(): void;
  /** Takes up a batch that was begun before the page was left. */
  findEarlier(): Promise<void>;
};

/** The batches of one page, one after the other: performs what `stepRun` decides. */
export function createRuns({ store, api, host }: StudioParts, kept: KeptWork): Runs {
  const { read, dispatch } = store;
  const remembered = createRememberedJobs(window.localStorage);
  const releases = new Map<string, () => void>();
  let phase: Phase = { name: "idle" };
  let abort = new AbortController();
  let batches = 0;
  /** Marks the jobs of one submit among those of all visits. */
  const visit = randomId();
  /** Whether all bytes of the part that is being sent are out. */
  let isPartOut = false;

  function signal(next: Signal): void {
    const step = stepRun(phase, next);
    phase = step.phase;
    for (const effect of step.effects) perform(effect);
  }

  const performers: { [Do in Effect["do"]]: (effect: Extract<Effect, { do: Do }>) => unknown } = {
    send: ({ batch }) => send(batch),
    stop: () => abort.abort(),
    "take-up": ({ batch, job }) => takeUp(batch, job),
    follow: ({ batch, jobs }) => follow(batch, jobs),
    forget: ({ jobs }) => jobs.forEach(forget),
    "end-on-server": ({ jobs }) => endOnServer(jobs),
    "say-cancelled": () => dispatch({ type: "run-ended", ending: "cancelled" }),
    "say-finished": () => dispatch({ type: "run-ended", ending: "done" }),
    "say-lost": () => dispatch({ type: "link-changed", link: "lost", isNews: true }),
    "say-reconnecting": () => dispatch({ type: "link-changed", link: "reconnecting", isNews: false }),
    "say-refused": ({ problem }) => sayRefused(problem),
  };
  /** The compiler does not see that an effect and its performer are of one kind. */
  const perform = (effect: Effect) => void (performers[effect.do] as (effect: Effect) => unknown)(effect);

  /** One part after the other, each as a job of its own. */
  async function send(batch: Batch) {
    const own = new AbortController();
    abort = own;
    const isCurrent = () => phase.name === "sending" && phase.batch === batch;
    const tell = (event: RunEvent) => isCurrent() && dispatch(event);
    const parts = partsOfBatch(batch);
    let sentBefore = 0;
    for (const [index, part] of parts.entries()) {
      if (!isCurrent()) return;
      const ids = idsOf(part.pictures);
      const toCome = bytesOf(parts.slice(index + 1).flatMap(({ pictures }) => pictures));
      isPartOut = false;
      let partBytes = 0;
      try {
        const sent = await sendPictures({
          ...{ api, idempotencyKey: randomId(), signal: own.signal },
          ...orderOf(batch, part.settings),
          files: part.pictures.flatMap(({ file }) => file ?? []),
          onProgress(sentBytes, totalBytes) {
            partBytes = totalBytes;
            if (isCurrent()) isPartOut = totalBytes > 0 && sentBytes >= totalBytes;
            const totals = { sentBytes: sentBefore + sentBytes, totalBytes: sentBefore + totalBytes + toCome };
            tell({ type: "upload-progressed", ...totals });
          },
          onDelay: (delay) => tell({ type: "upload-delayed", ...delay }),
        });
        if (sent.kind === "job") signal({ type: "accepted", batch, job: { id: sent.jobId, ids } });
        else tell({ type: "part-unneeded", ids, reason: sent.message });
      } catch (problem) {
        if (!isCurrent()) return;
        if (phase.name !== "sending" || phase.jobs.length === 0) return signal({ type: "refused", batch, problem });
        const left = parts.slice(index).flatMap(({ pictures }) => idsOf(pictures));
        const code = problem instanceof ApiProblem ? problem.code : undefined;
        dispatch({ type: "part-refused", ids: left, reason: sentenceOf(problem), code });
        sayShort(problem, left.length);
        break;
      }
      sentBefore += partBytes;
    }
    signal({ type: "sent", batch });
  }

  function takeUp(batch: Batch, { id, ids }: SentJob) {
    const { tool, settings, others, pictures, number } = batch;
    remembered.add({ jobId: id, tool, batch: `${visit}.${number}` });
    void claimJob(id).then((release) => release && releases.set(id, release));
    const [first] = ids;
    if (settings && first) {
      const sources = ids.map((one) => pictures.find((picture) => picture.id === one)?.file);
      const own = settingsFor({ ...batch, settings: wholeSettings(tool, settings) }, first)[tool];
      void kept.keepBatch(id, { settings: own, others, sources });
    }
    dispatch({ type: "job-accepted", jobId: id, ids });
  }

  async function follow(batch: Batch, jobs: readonly SentJob[]) {
    const own = abort;
    // If the events of one job are lost, the others are given up too: all are followed again together.
    const together = new AbortController();
    const stopped = AbortSignal.any([own.signal, together.signal]);
    const followed = jobs.map(({ id, ids }) =>
      followJob({ ...{ api, jobId: id, ids, dispatch }, keys: batch.keys, signal: stopped }),
    );
    try {
      await Promise.all(followed);
      signal({ type: "finished", batch });
    } catch (problem) {
      together.abort();
      if (own.signal.aborted) return;
      if (problem instanceof ConnectionLost) signal({ type: "connection-lost", batch });
      else signal({ type: "refused", batch, problem });
    }
  }

  function forget({ id }: SentJob) {
    remembered.remove(id);
    releases.get(id)?.();
    releases.delete(id);
    void kept.forgetBatch(id);
  }

  async function endOnServer(jobs: readonly SentJob[]) {
    const told = await Promise.all(jobs.map(({ id }) => endOne(id)));
    const credits = told.filter((one) => one !== undefined);
    const [first] = credits;
    if (!first) return;
    const charged = credits.reduce((sum, one) => sum + one.charged, 0);
    // Each answer counts what came back up to it: the last one has the most left.
    const remaining = Math.max(...credits.map((one) => one.remaining));
    dispatch({ type: "credits-told", credits: { ...first, charged, remaining } });
  }

  async function endOne(id: string): Promise<Credits | undefined> {
    try {
      return (await api.call("DELETE /jobs/{id}", { params: { id } })).credits;
    } catch (problem) {
      // Gone already, or out of reach: then the server ends the job, and gives its credits back, by itself.
      if (!(problem instanceof ApiProblem) && !(problem instanceof ConnectionLost)) reportError(problem);
      return undefined;
    }
  }

  function sayRefused(problem: unknown) {
    const sentence = sentenceOf(problem);
    const { status, reference } = problem instanceof ApiProblem ? problem : {};
    const pictureCount = read().run?.ids.length ?? 0;
    const reason = text.processFailed(status === undefined ? sentence : `${status} ${sentence}`);
    dispatch({ type: "run-failed", reason, reference });
    sayShort(problem, pictureCount);
  }

  /** Shows the way on where credits are missing. */
  function sayShort(problem: unknown, pictureCount: number) {
    if (!(problem instanceof ApiProblem)) return;
    const { code } = problem;
    const isOutOfCredits = code === "out-of-credits" || code === "network-allowance";
    const isGuestBatch = code === "too-many-files" && limitsOf(read())?.tier === "guest";
    if (isOutOfCredits || isGuestBatch) void host.outOfCredits({ pictureCount, sentence: sentenceOf(problem) });
  }

  /** Sends what is affordable, or says what is missing. */
  async function begin(pictures: readonly Picture[], batch: Omit<Batch, "number" | "pictures"> & Recalling) {
    const pictureCount = pictures.length;
    const filesPerBatch = limitsOf(read())?.limits.filesPerBatch;
    const creditsEach = priceOf(batch);
    const shortage = await host.findShortage({ pictureCount, creditsEach, usage: knownUse(read()), filesPerBatch });
    if (shortage === "told" || isRunning(read())) return;
    if (shortage) {
      const { sentence, left } = shortage;
      const remedies = [
        ...(left > 0 ? [{ kind: "send", count: left, label: `Run ${left} of ${pictureCount}` } as const] : []),
        { kind: "link", to: "/pricing", label: "See the plans" } as const,
      ];
      dispatch({ type: "obstacle-met", obstacle: { field: "service", sentence, remedies } });
      return;
    }
    batches += 1;
    const { recalledIds, ...order } = batch;
    const next = { ...order, number: batches, pictures };
    const ids = partsOfBatch(next).flatMap((part) => idsOf(part.pictures));
    const { tool, settings, others, own } = next;
    dispatch({ type: "run-started", ids, recalledIds, tool, settings, others, own });
    signal({ type: "begun", batch: next });
  }

  return {
    async submit(count) {
      if (isRunning(read())) return;
      const obstacle = findObstacle(read());
      const mayLimit = count !== undefined && obstacle?.remedies?.some(({ kind }) => kind === "send");
      dispatch({ type: "obstacle-met", obstacle: mayLimit ? undefined : obstacle });
      if (obstacle && !mayLimit) return;
      const { tool, settings, others, own } = read();
      const { recalled, fresh, keys } = await kept.sortOut(picturesToSend(read()), { tool, settings, others, own });
      if (isRunning(read())) return; // pressed twice while the files were read
      const order = { tool, settings: settings[tool], others, own };
      if (recalled.length > 0) dispatch({ type: "results-recalled", results: recalled, ...order });
      const recalledIds = recalled.map(({ id }) => id);
      if (fresh.length > 0) await begin(fresh.slice(0, count), { ...order, keys, recalledIds });
    },
    async retry() {
      const { run } = read();
      if (!run || isRunning(read())) return;
      await again(retryable(read()), run);
    },
    async runAgain() {
      const { run, pictures } = read();
      if (!run || isRunning(read())) return;
      await again(
        pictures.filter(({ id, file }) => file && run.recalledIds.includes(id)),
        run,
      );
    },
    cancel() {
      signal({ type: "cancelled", isWhole: isPartOut });
    },
    reconnect() {
      signal({ type: "reconnected" });
    },
    async findEarlier() {
      if (isRunning(read())) return;
      const earlier = await findEarlierBatch({ api, remembered, findBatch: kept.findBatch });
      if (!earlier) return;
      const { jobs, pictures, release, ...order } = earlier;
      for (const { job } of jobs) releases.set(job.id, release);
      abort = new AbortController();
      batches += 1;
      const keys = await keysOf(pictures, order);
      dispatch({ type: "job-found", jobs, pictures, ...order });
      const found = jobs.map(({ job: { id }, ids }) => ({ id, ids }));
      signal({ type: "found", jobs: found, batch: { number: batches, ...order, pictures, keys } });
    },
  };

  async function again(pictures: readonly Picture[], { tool, settings, others, own }: ToolSettings) {
    if (pictures.length === 0 || !settings) return;
    const order = { tool, settings, others, own };
    const keys = await keysOf(pictures, order);
    if (!isRunning(read())) await begin(pictures, { ...order, keys, recalledIds: [] });
  }

  async function keysOf(pictures: readonly Picture[], { tool, settings, others, own }: ToolSettings) {
    return settings
      ? kept.keysOf(pictures, { tool, settings: wholeSettings(tool, settings), others, own })
      : new Map<PictureId, string>();
  }
}

type Recalling = { recalledIds: readonly Picture["id"][] };

const idsOf = (pictures: readonly Picture[]) => pictures.map(({ id }) => id);
const bytesOf = (pictures: readonly Picture[]) => pictures.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** A batch that was found again without its settings is not sent a second time. */
const partsOfBatch = ({ settings, pictures, ...order }: Batch): readonly Part[] =>
  settings ? partsOf(pictures, { ...order, settings: wholeSettings(order.tool, settings) }) : [];

/** The call that takes a part of a batch, and the fields that go with it: the tool's own form, or a recipe. */
function orderOf({ tool, others }: ToolSettings, settings: Settings): Pick<Sending, "path" | "fields"> {
  const steps = sentSteps({ tool, settings, others });
  if (steps.length === 1) return { path: `/${tool}/`, fields: formFields(tool, settings) };
  return { path: "/recipes/run/", fields: { recipe: JSON.stringify({ steps }) } };
}
