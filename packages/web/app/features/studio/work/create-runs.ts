import { text } from "@tintype/contract";
import { ApiProblem, ConnectionLost, sentenceOf } from "@tintype/contract/api";
import { randomId } from "../../../lib/random-id.ts";
import type { KeptWork } from "../kept/create-kept-work.ts";
import { knownUse } from "../state/credit-use.ts";
import { findObstacle } from "../state/find-obstacle.ts";
import { formFields } from "../state/form-fields.ts";
import type { Picture } from "../state/picture.ts";
import { retryable } from "../state/retryable.ts";
import { sentSteps, wholeSettings } from "../state/steps.ts";
import type { RunEvent } from "../state/studio-event.ts";
import { isRunning, limitsOf, type ToolSettings } from "../state/studio-state.ts";
import { picturesToSend, priceOf } from "../state/to-send.ts";
import type { StudioParts } from "../studio-parts.ts";
import { findEarlierJob } from "./find-earlier-job.ts";
import { followJob } from "./follow-job.ts";
import { claimJob, createRememberedJobs } from "./remembered-jobs.ts";
import { type Batch, type Effect, type Phase, type Signal, stepRun } from "./run-machine.ts";
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

  function signal(next: Signal): void {
    const step = stepRun(phase, next);
    phase = step.phase;
    for (const effect of step.effects) perform(effect);
  }

  const performers: { [Do in Effect["do"]]: (effect: Extract<Effect, { do: Do }>) => unknown } = {
    send: ({ batch }) => send(batch),
    stop: () => abort.abort(),
    "take-up": ({ batch, jobId }) => takeUp(batch, jobId),
    follow: ({ batch, jobId }) => follow(batch, jobId),
    forget: ({ jobId }) => forget(jobId),
    "end-on-server": ({ jobId }) => endOnServer(jobId),
    "say-cancelled": () => dispatch({ type: "run-ended", ending: "cancelled" }),
    "say-finished": () => dispatch({ type: "run-ended", ending: "done" }),
    "say-lost": () => dispatch({ type: "link-changed", link: "lost", isNews: true }),
    "say-reconnecting": () => dispatch({ type: "link-changed", link: "reconnecting", isNews: false }),
    "say-unneeded": ({ message }) => dispatch({ type: "run-unneeded", reason: message }),
    "say-refused": ({ problem }) => sayRefused(problem),
  };
  /** The compiler does not see that an effect and its performer are of one kind. */
  const perform = (effect: Effect) => void (performers[effect.do] as (effect: Effect) => unknown)(effect);

  async function send(batch: Batch) {
    const { pictures } = batch;
    abort = new AbortController();
    const isCurrent = () => phase.name !== "idle" && phase.batch === batch;
    const tell = (event: RunEvent) => isCurrent() && dispatch(event);
    try {
      const sent = await sendPictures({
        ...{ api, idempotencyKey: randomId(), signal: abort.signal },
        ...orderOf(batch),
        files: pictures.flatMap(({ file }) => file ?? []),
        onProgress: (sentBytes, totalBytes) => tell({ type: "upload-progressed", sentBytes, totalBytes }),
        onDelay: (delay) => tell({ type: "upload-delayed", ...delay }),
      });
      if (sent.kind === "job") signal({ type: "accepted", batch, jobId: sent.jobId });
      else signal({ type: "nothing-to-do", batch, message: sent.message });
    } catch (problem) {
      signal({ type: "refused", batch, problem });
    }
  }

  function takeUp({ tool, settings, others, pictures }: Batch, jobId: string) {
    remembered.add({ jobId, tool });
    void claimJob(jobId).then((release) => release && releases.set(jobId, release));
    if (settings) void kept.keepBatch(jobId, { settings, others, sources: pictures.map(({ file }) => file) });
    dispatch({ type: "job-accepted", jobId });
  }

  async function follow(batch: Batch, jobId: string) {
    const ids = batch.pictures.map(({ id }) => id);
    const own = abort;
    try {
      await followJob({ ...{ api, jobId, ids, dispatch }, keys: batch.keys, signal: own.signal });
      signal({ type: "finished", batch });
    } catch (problem) {
      if (own.signal.aborted) return;
      if (problem instanceof ConnectionLost) signal({ type: "connection-lost", batch });
      else signal({ type: "refused", batch, problem });
    }
  }

  function forget(jobId: string) {
    remembered.remove(jobId);
    releases.get(jobId)?.();
    releases.delete(jobId);
    void kept.forgetBatch(jobId);
  }

  async function endOnServer(jobId: string) {
    try {
      const { credits } = await api.call("DELETE /jobs/{id}", { params: { id: jobId } });
      if (credits) dispatch({ type: "credits-told", credits });
    } catch (problem) {
      // Gone already, or out of reach: then the server ends the job, and gives its credits back, by itself.
      if (!(problem instanceof ApiProblem) && !(problem instanceof ConnectionLost)) reportError(problem);
    }
  }

  function sayRefused(problem: unknown) {
    const sentence = sentenceOf(problem);
    const { status, code, reference } = problem instanceof ApiProblem ? problem : {};
    const pictureCount = read().run?.ids.length ?? 0;
    const reason = text.processFailed(status === undefined ? sentence : `${status} ${sentence}`);
    dispatch({ type: "run-failed", reason, reference });
    const isOutOfCredits = code === "out-of-credits" || code === "network-allowance";
    const isGuestBatch = code === "too-many-files" && limitsOf(read())?.tier === "guest";
    if (isOutOfCredits || isGuestBatch) void host.outOfCredits({ pictureCount, sentence });
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
    const { tool, settings, others, keys, recalledIds } = batch;
    dispatch({ type: "run-started", ids: pictures.map(({ id }) => id), recalledIds, tool, settings, others });
    signal({ type: "begun", batch: { number: batches, tool, settings, others, keys, pictures } });
  }

  return {
    async submit(count) {
      if (isRunning(read())) return;
      const obstacle = findObstacle(read());
      const mayLimit = count !== undefined && obstacle?.remedies?.some(({ kind }) => kind === "send");
      dispatch({ type: "obstacle-met", obstacle: mayLimit ? undefined : obstacle });
      if (obstacle && !mayLimit) return;
      const { tool, settings, others } = read();
      const { recalled, fresh, keys } = await kept.sortOut(picturesToSend(read()), { tool, settings, others });
      if (isRunning(read())) return; // pressed twice while the files were read
      if (recalled.length > 0)
        dispatch({ type: "results-recalled", results: recalled, tool, settings: settings[tool], others });
      const recalledIds = recalled.map(({ id }) => id);
      const order = { tool, settings: settings[tool], others };
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
      const { run } = read();
      if (!run || run.phase === "ended") return;
      const isWhole = run.phase !== "sending" || (run.totalBytes > 0 && run.sentBytes >= run.totalBytes);
      signal({ type: "cancelled", isWhole });
    },
    reconnect() {
      signal({ type: "reconnected" });
    },
    async findEarlier() {
      if (isRunning(read())) return;
      const earlier = await findEarlierJob({ api, remembered, findBatch: kept.findBatch });
      if (!earlier) return;
      const { job, tool, settings, others, pictures, release } = earlier;
      releases.set(job.id, release);
      abort = new AbortController();
      batches += 1;
      const keys = settings
        ? await kept.keysOf(pictures, { tool, settings: wholeSettings(tool, settings), others })
        : new Map();
      dispatch({ type: "job-found", job, pictures, tool, settings, others });
      signal({ type: "found", jobId: job.id, batch: { number: batches, tool, settings, others, pictures, keys } });
    },
  };

  async function again(pictures: readonly Picture[], { tool, settings, others }: ToolSettings) {
    if (pictures.length === 0 || !settings) return;
    const keys = await kept.keysOf(pictures, { tool, settings: wholeSettings(tool, settings), others });
    if (!isRunning(read())) await begin(pictures, { tool, settings, others, keys, recalledIds: [] });
  }
}

type Recalling = { recalledIds: readonly Picture["id"][] };

/** The call that takes a batch, and the fields that go with it: the tool's own form, or a recipe. */
function orderOf({ tool, settings, others }: ToolSettings): Pick<Sending, "path" | "fields"> {
  if (!settings) return { path: `/${tool}/`, fields: {} };
  const setup = { tool, settings: wholeSettings(tool, settings), others };
  const steps = sentSteps(setup);
  if (steps.length === 1) return { path: `/${tool}/`, fields: formFields(tool, setup.settings) };
  return { path: "/recipes/run/", fields: { recipe: JSON.stringify({ steps }) } };
}
