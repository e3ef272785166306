import type { JobFile } from "@tintype/contract";
import { ApiProblem, sentenceOf } from "@tintype/contract/api";
import { priceOf } from "../state/order.ts";
import { type HeldResult, newResult, type Outcome, type Picture, type PictureId } from "../state/picture.ts";
import { fetchResult } from "./fetch-result.ts";
import type { StudioParts } from "./studio-parts.ts";

type HeldOutcome = Extract<Outcome, { kind: "held" }>;

export type HeldResults = {
  /** Downloads the picture's result, after which it can no longer be discarded, or discards it and refunds its credit. */
  decideHeld(id: PictureId, decision: "keep" | "discard"): Promise<void>;
};

/** Results held until the user keeps or discards them. They are kept automatically shortly before they expire. */
export function createHeldResults(
  { store, api, notify }: StudioParts,
  { forget }: { forget(jobId: string): void },
): HeldResults {
  const { read, dispatch } = store;
  const timers = new Map<HeldResult["job"], ReturnType<typeof setTimeout>>();

  const heldOf = (id: PictureId) => read().pictures.flatMap((picture) => (picture.id === id ? heldIn(picture) : []));
  const change = (id: PictureId, held: HeldResult, outcome: Outcome) =>
    dispatch({ type: "outcome-changed", id, held, outcome });
  /** Records the decision and releases what was held. */
  const settle = (id: PictureId, held: HeldResult, outcome: Outcome) => {
    change(id, held, outcome);
    URL.revokeObjectURL(held.thumbsUrl);
    if (!isHeld(read().pictures, held.job.id)) forget(held.job.id);
  };

  async function keep(id: PictureId, outcome: HeldOutcome | undefined) {
    if (!outcome || outcome.held.pendingDecision) return;
    const { held, ...remarks } = outcome;
    change(id, held, { ...outcome, held: { ...held, pendingDecision: "keep" } });
    try {
      const { id: jobId, index } = held.job;
      const blob = await fetchResult({ api, jobId, index, signal: new AbortController().signal });
      const { name, format, sides, key, job } = held;
      settle(id, held, { ...remarks, kind: "done", result: newResult({ blob, name, format, sides, key, job }) });
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) {
        change(id, held, outcome);
        return notify.error(sentenceOf(problem));
      }
      settle(id, held, { kind: "failed", reason: sentenceOf(problem), code: problem.code });
    }
  }

  async function discard(id: PictureId, outcome: HeldOutcome | undefined) {
    if (!outcome || outcome.held.pendingDecision) return;
    const { held } = outcome;
    change(id, held, { ...outcome, held: { ...held, pendingDecision: "discard" } });
    try {
      const { credits } = await api.call("DELETE /jobs/{id}/files/{index}", { params: held.job });
      settle(id, held, { kind: "cancelled", isDiscarded: true });
      notify.info("Discarded. Its credit is back.");
      const { run, batch } = read();
      if (!credits || run?.phase !== "ended") return;
      const order = run.orders.get(id);
      const charged = Math.max(0, (run.charged ?? 0) - (order ? priceOf(order.steps) : 0));
      dispatch({ type: "credits-refunded", batch, credits: { ...credits, charged } });
    } catch (problem) {
      // It has expired, or was discarded in another tab.
      if (problem instanceof ApiProblem && (problem.status === 410 || problem.status === 404))
        return settle(id, held, { kind: "failed", reason: sentenceOf(problem), code: problem.code });
      change(id, held, outcome);
      notify.error(sentenceOf(problem));
    }
  }

  store.subscribe(() => {
    const all = read().pictures.flatMap((picture) => heldIn(picture).map(({ held }) => ({ id: picture.id, held })));
    for (const { id, held } of all) {
      if (timers.has(held.job)) continue;
      const latest = () => heldOf(id).find((one) => one.held.job === held.job);
      const wait = Math.max(0, held.keepAtMs - Date.now());
      timers.set(
        held.job,
        setTimeout(() => void keep(id, latest()), wait),
      );
    }
    for (const [job, timer] of timers) {
      if (all.some(({ held }) => held.job === job)) continue;
      clearTimeout(timer);
      timers.delete(job);
    }
  });
  return { decideHeld: (id, decision) => (decision === "keep" ? keep : discard)(id, heldOf(id)[0]) };
}

/** The results of a picture that await a decision: its own and those of the pictures that it was made from. */
function heldIn({ outcome, original }: Picture): readonly HeldOutcome[] {
  const earlier = original ? heldIn(original) : [];
  return outcome.kind === "held" ? [outcome, ...earlier] : earlier;
}

/** Whether one of the job's results awaits the user's decision. */
export const isHeld = (pictures: readonly Picture[], jobId: string): boolean =>
  pictures.some((picture) => heldIn(picture).some(({ held }) => held.job.id === jobId));

/** Whether to hold the result: it is flagged as incomplete, undelivered, and has candidates whose thumbnails can be shown. */
export const shouldHold = ({ incomplete, delivered, candidates }: JobFile): boolean =>
  incomplete === true && !delivered && candidates !== undefined;
