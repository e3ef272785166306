import { errors, isErrorCode, text } from "@tintype/contract";
import { ApiProblem, ConnectionLost } from "../../../lib/api/problem.ts";
import { sentenceOf } from "../../../lib/api/read-problem.ts";
import { randomId } from "../../../lib/random-id.ts";
import { findEarlierJob } from "../run/find-earlier-job.ts";
import { followJob } from "../run/follow-job.ts";
import { claimJob, createRememberedJobs } from "../run/remembered-jobs.ts";
import { sendPictures } from "../run/send-pictures.ts";
import { canRetry } from "../state/can-retry.ts";
import { knownUse } from "../state/credit-use.ts";
import { findObstacle } from "../state/find-obstacle.ts";
import type { Picture } from "../state/picture.ts";
import { formFields } from "../state/settings.ts";
import type { RunEvent } from "../state/studio-event.ts";
import { isRunning } from "../state/studio-state.ts";
import { picturesToSend } from "../state/summary.ts";
import type { StudioParts } from "../studio-parts.ts";

export type Runs = {
  submit(): Promise<void>;
  retryFailed(): Promise<void>;
  cancel(): Promise<void>;
  /** Listens again after the connection was given up. */
  reconnect(): Promise<void>;
  /** Takes up a batch that was begun before the page was left. */
  findEarlier(): Promise<void>;
};

/** The batches of one page, one after the other. */
export function createRuns({ store, api, notify, host }: StudioParts): Runs {
  const { read, dispatch } = store;
  const remembered = createRememberedJobs(window.localStorage);
  let abort = new AbortController();
  /** The batch that is on its way; `isUnwanted` once it was cancelled too late to be held back. */
  let sending = { isUnwanted: false };
  let release: (() => void) | undefined;

  async function sendIfAffordable(pictures: readonly Picture[]) {
    const isShort = host.isShortOfCredits({ pictureCount: pictures.length, usage: knownUse(read()) });
    if (!isShort) await send(pictures);
  }

  async function send(pictures: readonly Picture[]) {
    const { tool, settings } = read();
    abort = new AbortController();
    const { signal } = abort;
    const own = { isUnwanted: false };
    sending = own;
    const tell = (event: RunEvent) => own.isUnwanted || dispatch(event);
    dispatch({ type: "run-started", ids: pictures.map(({ id }) => id) });
    try {
      const sent = await sendPictures({
        ...{ api, tool, signal, fields: formFields(tool, settings), idempotencyKey: randomId() },
        files: pictures.flatMap(({ file }) => file ?? []),
        onProgress: (sentBytes, totalBytes) => tell({ type: "upload-progressed", sentBytes, totalBytes }),
        onDelay: (reason) => tell({ type: "upload-delayed", reason }),
      });
      if (sent.kind === "nothing-to-do") {
        if (own.isUnwanted) return;
        notify.info(sent.message);
        return dispatch({ type: "run-unneeded", reason: sent.message });
      }
      remembered.add({ jobId: sent.jobId, tool });
      release = await claimJob(sent.jobId);
      if (own.isUnwanted) {
        forget(sent.jobId);
        return await drop(sent.jobId);
      }
      dispatch({ type: "job-accepted", jobId: sent.jobId });
      await follow(sent.jobId);
    } catch (problem) {
      if (!signal.aborted && !own.isUnwanted) fail(problem);
    }
  }

  /** Ends a job on the server; what was not delivered is not charged. */
  async function drop(jobId: string) {
    try {
      const { credits } = await api.call("DELETE /jobs/{id}", { params: { id: jobId } });
      if (credits) dispatch({ type: "credits-told", credits });
    } catch (problem) {
      if (!(problem instanceof ApiProblem && problem.status === 404)) notify.error(sentenceOf(problem));
    }
  }

  async function follow(jobId: string) {
    const { signal } = abort;
    try {
      await followJob({ api, jobId, ids: read().run?.ids ?? [], dispatch, signal });
    } catch (problem) {
      if (signal.aborted) return;
      if (problem instanceof ConnectionLost) return dispatch({ type: "link-changed", link: "lost" });
      forget(jobId);
      return fail(problem);
    }
    forget(jobId);
    dispatch({ type: "run-ended", ending: "done" });
    tellEnd();
  }

  function forget(jobId: string) {
    remembered.remove(jobId);
    release?.();
  }

  function fail(problem: unknown) {
    const sentence = sentenceOf(problem);
    const { status, code } = problem instanceof ApiProblem ? problem : {};
    const pictureCount = read().run?.ids.length ?? 0;
    dispatch({ type: "run-failed", reason: sentence });
    const isOutOfCredits = code === "out-of-credits" || code === "network-allowance";
    if (isOutOfCredits && host.outOfCredits({ pictureCount, sentence })) return;
    notify.error(text.processFailed(status === undefined ? sentence : `${status} ${sentence}`));
  }

  function tellEnd() {
    const { run, pictures } = read();
    const outcomes = pictures.flatMap(({ id, outcome }) => (run?.ids.includes(id) ? [outcome] : []));
    if (outcomes.every(({ kind }) => kind === "unchanged") && run?.tool === "convert")
      return notify.info(text.sameFormat);
    if (outcomes.some(({ kind }) => kind === "done")) return;
    const failed = outcomes.find((outcome) => outcome.kind === "failed");
    if (!failed) return;
    const none = errors["nothing-succeeded"];
    const { code = "", reason } = failed;
    const status = isErrorCode(code) ? errors[code].status : none.status;
    notify.error(text.processFailed(outcomes.length === 1 ? `${status} ${reason}` : `${none.status} ${none.detail}`));
  }

  return {
    async submit() {
      if (isRunning(read())) return;
      const obstacle = findObstacle(read());
      dispatch({ type: "obstacle-met", obstacle });
      if (!obstacle) await sendIfAffordable(picturesToSend(read()));
    },
    async retryFailed() {
      const failed = read().pictures.filter(canRetry);
      if (!isRunning(read()) && failed.length > 0) await sendIfAffordable(failed);
    },
    async cancel() {
      const { run } = read();
      if (!run || run.phase === "ended") return;
      dispatch({ type: "run-ended", ending: "cancelled" });
      if (run.phase === "sending") {
        sending.isUnwanted = true;
        // With all bytes out the server makes a job of them: it can be told to end it once it has named it.
        const isOut = run.totalBytes > 0 && run.sentBytes >= run.totalBytes;
        if (!isOut) abort.abort();
        return;
      }
      abort.abort();
      forget(run.jobId);
      await drop(run.jobId);
    },
    async reconnect() {
      const { run } = read();
      if (!run || !("jobId" in run) || run.link !== "lost") return;
      dispatch({ type: "link-changed", link: "reconnecting" });
      await follow(run.jobId);
    },
    async findEarlier() {
      if (isRunning(read())) return;
      const earlier = await findEarlierJob({ api, remembered });
      if (!earlier) return;
      abort = new AbortController();
      release = earlier.release;
      dispatch({ type: "job-found", ...earlier });
      await follow(earlier.job.id);
    },
  };
}
