import { type Credits, text } from "@tintype/contract";
import { knownUsage } from "./credits.ts";
import type { Effect } from "./effect.ts";
import { findObstacle } from "./find-obstacle.ts";
import {
  applyJobEvent,
  endRun,
  type FollowedRun,
  fileReducer,
  positionOf,
  withOutcomes,
  withUploadShares,
} from "./job-report.ts";
import { type Orders, ordersOf, partsOf } from "./order.ts";
import type { Picture, PictureId } from "./picture.ts";
import { withPicture } from "./reduce-pictures.ts";
import { planOf } from "./steps.ts";
import type { FollowingEvent, FoundBatch, Refusal, RunEvent, SendingEvent, StudioEvent } from "./studio-event.ts";
import { cancellableIds, limitsOf, type Run, type StudioState } from "./studio-state.ts";
import { picturesToSend } from "./to-send.ts";

/** The next state and its side effects. */
export type Step = { state: StudioState; effects: readonly Effect[] };

export type RunPhase = "idle" | "preparing" | "sending" | "following" | "lost";

/**
 * The state machine of a batch: for each phase the events it accepts and the phases that they may lead to. Any other event is
 * ignored. `idle` is before the first batch and after the end of each.
 */
export const transitions: Readonly<Record<RunPhase, Partial<Record<RunEvent["type"], readonly RunPhase[]>>>> = {
  idle: {
    submitted: ["preparing", "idle"], // idle: there is an obstacle, which is shown
    "start-due": ["preparing", "idle"], // idle: there is an obstacle, which is not shown
    retried: ["preparing", "idle"],
    "run-again": ["preparing", "idle"],
    "batch-found": ["following"], // after a reload
    "part-accepted": ["idle"], // the batch was cancelled meanwhile: the job is ended on the server
    "credits-refunded": ["idle"], // the refund of a cancelled batch
    "save-failed": ["idle"],
  },
  preparing: {
    prepared: ["sending", "idle"], // idle: all results exist already, or credits are missing
    "preparation-failed": ["idle"],
    "part-accepted": ["preparing"],
    "credits-refunded": ["preparing"],
    "save-failed": ["preparing"],
  },
  sending: {
    "upload-progressed": ["sending"],
    "upload-delayed": ["sending"],
    "part-accepted": ["sending", "following"], // following: it was the last part
    "part-unneeded": ["sending", "following", "idle"],
    "part-refused": ["following", "idle"], // following: the accepted parts go on
    "picture-cancelled": ["sending"],
    cancelled: ["idle"],
  },
  following: {
    "job-event-received": ["following"],
    "link-changed": ["following"],
    "result-arrived": ["following"],
    "result-lost": ["following"],
    followed: ["idle"],
    "connection-lost": ["lost"],
    "follow-refused": ["idle"],
    "picture-cancelled": ["following"],
    cancelled: ["idle"],
    "part-accepted": ["following"],
  },
  lost: {
    reconnected: ["following"],
    "picture-cancelled": ["lost"],
    cancelled: ["idle"],
    "part-accepted": ["lost"],
  },
};

/** Whether the state machine of batches handles the event, in any phase. */
export const isRunEvent = (event: StudioEvent): event is RunEvent =>
  Object.values(transitions).some((events) => event.type in events);

export function phaseOf({ run, isPreparing }: Pick<StudioState, "run" | "isPreparing">): RunPhase {
  if (isPreparing) return "preparing";
  if (!run || run.phase === "ended") return "idle";
  if (run.phase === "sending") return "sending";
  return run.link === "lost" ? "lost" : "following";
}

type SendingRun = Extract<Run, { phase: "sending" }>;

/** Applies an event to the batch. */
export function stepRun(state: StudioState, event: RunEvent): Step {
  const stay: Step = { state, effects: [] };
  const phase = phaseOf(state);
  if (!transitions[phase][event.type]) return stay;
  const { run, batch } = state;
  switch (event.type) {
    case "submitted":
      return submitBatch(state, event);
    case "start-due":
      return startWaiting(state, event.isRequested);
    case "retried":
      return prepare(
        state,
        state.pictures.filter(
          ({ id, outcome: { kind } }) => event.ids.has(id) && (kind === "failed" || kind === "cancelled"),
        ),
      );
    case "run-again":
      return prepare(
        state,
        state.pictures.filter(({ id, file }) => file && run?.reusedIds.includes(id)),
      );
    case "prepared":
      return event.batch === batch ? startRun(state, event) : stay;
    case "preparation-failed":
      return event.batch === batch ? withoutEffects({ ...state, isPreparing: false }) : stay;
    case "batch-found":
      return resumeRun(state, event.found);
    case "part-accepted":
      // The batch was cancelled after this part's bytes had been sent: end the job that the server created.
      if (run?.phase !== "sending" || run.batch !== event.batch)
        return { state, effects: [{ do: "end-jobs", batch: event.batch, jobIds: [event.jobId] }] };
      return acceptPart(state, run, event);
    case "cancelled":
      return run ? cancelRun(state, run) : stay;
    case "picture-cancelled":
      return run && run.phase !== "ended" ? cancelPicture(state, run, event.id) : stay;
    case "credits-refunded":
      return run?.batch === event.batch ? withoutEffects(withCredits(state, event.credits)) : stay;
    case "save-failed":
      return run?.phase === "ended" ? withoutEffects({ ...state, run: { ...run, problem: event.sentence } }) : stay;
    case "upload-progressed":
    case "upload-delayed":
    case "part-unneeded":
    case "part-refused":
      return run?.phase === "sending" && run.batch === event.batch ? stepSending(state, run, event) : stay;
    case "reconnected":
      return run && isFollowing(run) ? follow({ ...state, run: { ...run, link: "reconnecting" } }) : stay;
    default:
      return run && isFollowing(run) && run.batch === event.batch ? stepFollowing(state, run, event) : stay;
  }
}

const withoutEffects = (state: StudioState): Step => ({ state, effects: [] });

const isFollowing = (run: Run): run is FollowedRun => run.phase === "working" || run.phase === "delivering";

function submitBatch(state: StudioState, { count, ids }: Extract<RunEvent, { type: "submitted" }>): Step {
  const selected = withSelection(state, ids);
  const obstacle = findObstacle(selected);
  const mayLimit = count !== undefined && obstacle?.remedies?.some(({ kind }) => kind === "send");
  if (obstacle && !mayLimit) return withoutEffects({ ...state, obstacle });
  // If none of `ids` is on the page any more, `chosenPictures` falls back to all pictures.
  const pictures = picturesToSend(selected).filter(({ id }) => !ids || ids.has(id));
  return prepare({ ...state, obstacle: undefined }, pictures, { mayReuse: true, count });
}

/** The state with only these pictures selected. */
const withSelection = (state: StudioState, ids: ReadonlySet<PictureId> | undefined): StudioState =>
  ids ? { ...state, selection: ids } : state;

/** Submits the waiting pictures that no batch has processed meanwhile. Shows no obstacle, since the user did not press Submit. */
function startWaiting(before: StudioState, isRequested: boolean): Step {
  const state: StudioState = { ...before, toStart: new Set() };
  const fresh = state.pictures.filter(({ id, outcome }) => before.toStart.has(id) && outcome.kind === "none");
  const ids = new Set(fresh.map(({ id }) => id));
  if (!isRequested || ids.size === 0 || findObstacle(withSelection(state, ids))) return withoutEffects(state);
  return submitBatch(state, { type: "submitted", ids });
}

/** Starts the next batch with these pictures: by the current plan if `submit` is given, else with the orders of the last run. */
function prepare(
  state: StudioState,
  pictures: readonly Picture[],
  submit?: { mayReuse: true; count: number | undefined },
): Step {
  const orders = submit ? ordersOf(state, pictures) : ordersFor(state.run?.orders, pictures);
  if (orders.size === 0) return withoutEffects(state);
  const batch = state.batch + 1;
  const sent = pictures.filter(({ id }) => orders.has(id));
  return {
    state: { ...state, batch, isPreparing: true },
    effects: [{ do: "prepare", batch, pictures: sent, orders, mayReuse: submit !== undefined, count: submit?.count }],
  };
}

const ordersFor = (orders: Orders | undefined, pictures: readonly Picture[]): Orders =>
  new Map([...(orders ?? [])].filter(([id]) => pictures.some((picture) => picture.id === id)));

function startRun(before: StudioState, event: Extract<RunEvent, { type: "prepared" }>): Step {
  const { batch, reused, orders, keys, shortage } = event;
  let state: StudioState = { ...before, isPreparing: false };
  const reusedIds = reused.map(({ id }) => id);
  const [first] = orders.values();
  const { tool, steps } = first ?? before.run ?? before;
  const known = new Map([...(before.run?.orders ?? []), ...orders]);
  const common = { batch, tool, steps, reusedIds, orders: known, keys };
  const fresh = [...orders.keys()].filter((id) => !reusedIds.includes(id));
  if (reused.length > 0) {
    for (const { id, ...done } of reused) state = withOutcomes(state, [id], () => ({ kind: "done", ...done }));
    const ending = { phase: "ended", ending: "done", charged: undefined, problem: undefined } as const;
    state = { ...state, obstacle: undefined, run: { ...common, ids: [], ...ending } };
  }
  if (fresh.length === 0) return withoutEffects(state);
  // Starting the waiting pictures would use up the credits and replace the message.
  if (shortage) state = { ...state, toStart: new Set() };
  if (shortage === "shown") return withoutEffects(state);
  if (shortage) return withoutEffects({ ...state, obstacle: shortage });
  const parts = partsOf(new Map([...orders].filter(([id]) => fresh.includes(id))));
  const ids = parts.flatMap((part) => part.ids);
  const run: SendingRun = {
    ...common,
    ids,
    phase: "sending",
    jobs: [],
    parts,
    part: { sentBytes: 0, totalBytes: 0 },
    sentBytes: 0,
    totalBytes: 0,
    delay: undefined,
  };
  const started = withOutcomes(state, ids, () => ({ kind: "uploading", share: 0 }));
  return sendNext({ ...started, ...withoutCredits(state), obstacle: undefined, removals: [], run });
}

/** A new batch reports its own credits. The usage known so far moves to the allowance. */
function withoutCredits(state: StudioState): Pick<StudioState, "credits" | "allowance"> {
  const usage = knownUsage(state);
  const { allowance } = state;
  return { credits: undefined, allowance: allowance && usage ? { ...allowance, usage } : allowance };
}

/** Sends the next part of the batch, or follows its jobs after the last part. */
function sendNext(state: StudioState): Step {
  const { run } = state;
  if (run?.phase !== "sending") return withoutEffects(state);
  const [part] = run.parts;
  if (part) {
    const files = filesOf(state, part.ids).flatMap((file) => file ?? []);
    return { state, effects: [{ do: "send", batch: run.batch, order: part.order, files }] };
  }
  if (run.jobs.length === 0) return withoutEffects(endRun(state, "done", interrupted));
  const { phase: _, parts, part: __, sentBytes, totalBytes, delay, ...rest } = run;
  return follow({ ...state, run: { ...rest, phase: "working", link: "live", position: undefined } });
}

/** Follows all jobs of the batch. */
function follow(state: StudioState): Step {
  const { run } = state;
  if (!run || !isFollowing(run)) return withoutEffects(state);
  const jobs = run.jobs.map(({ id, ids }) => ({ id, ids }));
  return { state, effects: [{ do: "follow", batch: run.batch, jobs, keys: run.keys }] };
}

const filesOf = ({ pictures }: StudioState, ids: readonly PictureId[]) =>
  ids.map((id) => pictures.find((picture) => picture.id === id)?.file);

/** The server has accepted a part as a job. */
function acceptPart(
  state: StudioState,
  run: SendingRun,
  { jobId, idempotencyKey }: Extract<RunEvent, { type: "part-accepted" }>,
): Step {
  const [part] = run.parts;
  if (!part) return withoutEffects(state);
  const { ids, order } = part;
  const job = { id: jobId, ids, isOver: false, position: undefined, charged: 0 };
  const waiting = withOutcomes(state, ids, () => ({ kind: "waiting" }));
  const next = sendNext({ ...waiting, run: { ...withoutPart(run), jobs: [...run.jobs, job] } });
  const remember: Effect = {
    do: "remember",
    batch: run.batch,
    jobId,
    idempotencyKey,
    tool: order.tool,
    count: ids.length,
  };
  return { ...next, effects: [remember, ...next.effects] };
}

/** Removes the current part, whose bytes count as sent, and resets the part's progress. */
const withoutPart = ({ parts, part, ...run }: SendingRun): SendingRun => ({
  ...run,
  parts: parts.slice(1),
  part: { sentBytes: 0, totalBytes: 0 },
  delay: undefined,
});

function stepSending(state: StudioState, run: SendingRun, event: SendingEvent): Step {
  switch (event.type) {
    case "upload-progressed": {
      const { sentBytes, totalBytes } = event;
      const before = run.sentBytes - run.part.sentBytes;
      const later = bytesOf(state, run.parts.slice(1));
      const sent = before + sentBytes;
      const next: SendingRun = {
        ...run,
        part: { sentBytes, totalBytes },
        sentBytes: sent,
        totalBytes: before + totalBytes + later,
        delay: undefined,
      };
      return withoutEffects(withUploadShares({ ...state, run: next }, run.ids, sent));
    }
    case "upload-delayed": {
      const delay = `${event.reason} Trying again in ${event.waitSeconds} s.`;
      return withoutEffects({ ...state, run: { ...run, delay } });
    }
    case "part-unneeded": {
      const ids = run.parts[0]?.ids ?? [];
      const unchanged = withOutcomes(state, ids, () => ({ kind: "unchanged", reason: event.reason }));
      return sendNext({ ...unchanged, run: withoutPart(run) });
    }
    case "part-refused": {
      const { sentence, code } = event.refusal;
      if (run.jobs.length === 0) return failRun(state, run, event.refusal);
      const ids = run.parts.flatMap((part) => part.ids);
      const failed = withOutcomes(state, ids, () => ({ kind: "failed", reason: sentence, code }));
      const next = sendNext({ ...failed, run: { ...run, parts: [] } });
      return { ...next, effects: [...shortageEffects(state, event.refusal, ids), ...next.effects] };
    }
  }
}

const bytesOf = ({ pictures }: StudioState, parts: SendingRun["parts"]) => {
  const ids = new Set(parts.flatMap((part) => part.ids));
  return pictures.reduce((sum, { id, sizeBytes }) => (ids.has(id) ? sum + sizeBytes : sum), 0);
};

function stepFollowing(state: StudioState, run: FollowedRun, event: FollowingEvent): Step {
  switch (event.type) {
    case "job-event-received":
      return withoutEffects(applyJobEvent(state, run, event));
    case "link-changed":
      return withoutEffects({ ...state, run: { ...run, link: event.link } });
    case "result-arrived":
      return withoutEffects(
        withPicture(state, event.id, (picture) =>
          picture.outcome.kind === "fetching"
            ? { ...picture, outcome: { ...picture.outcome, kind: "done", result: event.result } }
            : picture,
        ),
      );
    case "result-lost": {
      const { reason, code } = event;
      return withoutEffects(withOutcomes(state, [event.id], () => ({ kind: "failed", reason, code })));
    }
    case "followed":
      return {
        state: endRun(state, isAllCancelled(state, run) ? "cancelled" : "done", interrupted),
        effects: [{ do: "forget", jobIds: jobIdsOf(run) }],
      };
    case "connection-lost":
      return {
        state: { ...state, run: { ...run, link: "lost" } },
        effects: [{ do: "await-server", batch: run.batch }],
      };
    case "follow-refused":
      return failRun(state, run, event.refusal);
  }
}

const jobIdsOf = ({ jobs }: SendingRun | FollowedRun) => jobs.map(({ id }) => id);

const interrupted = { kind: "failed", reason: text.interrupted, code: "interrupted" } as const;

const isAllCancelled = ({ pictures }: StudioState, { ids }: Run) =>
  pictures.every(({ id, outcome }) => outcome.kind === "cancelled" || !ids.includes(id));

/**
 * Cancels one picture. The server cancels a picture of a job, and until it confirms, the picture may still finish. An unsent picture is
 * removed from its part.
 */
function cancelPicture(state: StudioState, run: SendingRun | FollowedRun, id: PictureId): Step {
  if (!cancellableIds(state).has(id)) return withoutEffects(state);
  const job = run.jobs.find(({ ids }) => ids.includes(id));
  if (job) return { state, effects: [{ do: "cancel-file", jobId: job.id, index: job.ids.indexOf(id) }] };
  if (run.phase !== "sending") return withoutEffects(state);
  const [now, ...later] = run.parts;
  const without = later.map((part) => ({ ...part, ids: part.ids.filter((one) => one !== id) }));
  const parts = [...(now ? [now] : []), ...without.filter(({ ids }) => ids.length > 0)];
  return withoutEffects({ ...withOutcomes(state, [id], () => ({ kind: "cancelled" })), run: { ...run, parts } });
}

function cancelRun(state: StudioState, run: Run): Step {
  if (run.phase === "ended") return withoutEffects(state);
  const { batch } = run;
  // Ending a finished job would delete its held results without a refund.
  const isHeld = (id: PictureId) => state.pictures.some((one) => one.id === id && one.outcome.kind === "held");
  const open = run.jobs.filter(({ isOver, ids }) => !isOver || !ids.some(isHeld));
  const jobIds = open.map(({ id }) => id);
  const lost = open.flatMap(({ ids }) => ids.filter(isHeld));
  // Once all bytes of a part are sent, wait for the response: it names the job, which can then be ended.
  const isPartSent = run.phase === "sending" && run.part.totalBytes > 0 && run.part.sentBytes >= run.part.totalBytes;
  return {
    state: withOutcomes(endRun(state, "cancelled", { kind: "cancelled" }), lost, () => ({ kind: "cancelled" })),
    effects: [
      ...(isPartSent ? [] : [{ do: "stop", batch } as const]),
      ...(jobIds.length > 0
        ? ([
            { do: "forget", jobIds },
            { do: "end-jobs", batch, jobIds },
          ] as const)
        : []),
    ],
  };
}

/** The whole batch was refused or lost. Its unfinished pictures return to unsent. */
function failRun(state: StudioState, run: SendingRun | FollowedRun, refusal: Refusal): Step {
  const { sentence, status, reference } = refusal;
  const reason = text.processFailed(status === undefined ? sentence : `${status} ${sentence}`);
  const jobIds = jobIdsOf(run);
  return {
    state: {
      ...endRun(state, "failed", { kind: "none" }),
      obstacle: { field: "service", sentence: reason, reference },
    },
    effects: [
      ...(jobIds.length > 0 ? [{ do: "forget", jobIds } as const] : []),
      ...shortageEffects(state, refusal, run.ids),
    ],
  };
}

function shortageEffects(state: StudioState, { code, sentence }: Refusal, ids: readonly PictureId[]): Effect[] {
  const isGuestBatch = code === "too-many-files" && limitsOf(state)?.tier === "guest";
  return isOutOfCredits(code) || isGuestBatch ? [{ do: "show-shortage", sentence, ids }] : [];
}

/** Whether the server refused for lack of credits, of the caller or of the guests on the network. */
export const isOutOfCredits = (code: string | undefined): boolean =>
  code === "out-of-credits" || code === "network-allowance" || code === "network-blocked";

const withCredits = (state: StudioState, credits: Credits): StudioState => ({
  ...state,
  credits,
  run: state.run?.phase === "ended" ? { ...state.run, charged: credits.charged } : state.run,
});

/** Resumes a batch of an earlier visit. */
function resumeRun(
  state: StudioState,
  { jobs: foundJobs, pictures: foundPictures, tool, plan, orders, keys }: FoundBatch,
): Step {
  const jobs = foundJobs.map(({ job: { id, position }, ids }) => ({ id, ids, isOver: false, position, charged: 0 }));
  const settings = plan ? { ...state.settings, [tool]: plan.settings } : state.settings;
  const { steps, cursor } = plan ?? planOf(tool, settings);
  const batch = state.batch + 1;
  const run: FollowedRun = {
    batch,
    tool,
    steps,
    orders,
    keys,
    ids: foundPictures.map(({ id }) => id),
    reusedIds: [],
    phase: "working",
    jobs,
    link: "live",
    position: positionOf(jobs),
  };
  const pictures = [...state.pictures, ...foundPictures];
  const next: StudioState = {
    ...state,
    pictures,
    settings,
    selectedId: pictures[0]?.id,
    tool,
    steps,
    cursor,
    batch,
    run,
    toStart: new Set(),
  };
  return follow(foundJobs.reduce((current, { job, ids }) => job.files.reduce(fileReducer(ids), current), next));
}
