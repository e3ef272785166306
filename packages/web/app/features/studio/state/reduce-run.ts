import { type Credits, errors, type Job, type JobFile } from "@tintype/contract";
import { knownUse } from "./credit-use.ts";
import { isBusy, type Outcome, type Picture, type PictureId } from "./picture.ts";
import { withPicture } from "./reduce-pictures.ts";
import type { Recalled, RunEvent } from "./studio-event.ts";
import type { Run, RunJob, StudioState } from "./studio-state.ts";

/** One batch: sent, worked on, brought over, ended. Events of another job than the present one change nothing. */
export function reduceRun(state: StudioState, event: RunEvent): StudioState {
  const { run } = state;
  switch (event.type) {
    case "results-recalled": {
      const { tool, settings, others, own } = event;
      const recalledIds = event.results.map(({ id }) => id);
      const recalled = event.results.reduce(withRecalled, state);
      const next: Run = {
        ...{ tool, settings, others, own, ids: [], recalledIds },
        ...{ phase: "ended", ending: "done", charged: undefined, problem: undefined },
      };
      return { ...recalled, obstacle: undefined, run: next };
    }
    case "run-started": {
      const { tool, settings, others, own, ids, recalledIds } = event;
      const started = withOutcomes(state, ids, () => ({ kind: "uploading", share: 0 }));
      const next: Run = {
        ...{ tool, settings, others, own, ids, recalledIds },
        ...{ phase: "sending", jobs: [], sentBytes: 0, totalBytes: 0, delay: undefined },
      };
      return { ...started, ...withoutCredits(state), obstacle: undefined, removals: [], run: next };
    }
    case "upload-progressed":
      if (run?.phase !== "sending") return state;
      return withUploadShares(
        { ...state, run: { ...run, ...sentOf(event), delay: undefined } },
        run.ids,
        event.sentBytes,
      );
    case "upload-delayed":
      return run?.phase === "sending" ? { ...state, run: { ...run, delay: delayOf(event) } } : state;
    case "job-accepted": {
      if (run?.phase !== "sending") return state;
      const { jobId, ids } = event;
      const job = { id: jobId, ids, isOver: false, position: undefined, charged: 0 };
      const accepted = withOutcomes(state, ids, () => ({ kind: "waiting" }));
      return withWholeBatchOut({ ...accepted, run: { ...run, jobs: [...run.jobs, job] } });
    }
    case "part-refused": {
      const { ids, reason, code } = event;
      return withWholeBatchOut(withOutcomes(state, ids, () => ({ kind: "failed", reason, code })));
    }
    case "job-found": {
      const ids = event.pictures.map(({ id }) => id);
      const jobs = event.jobs.map(({ job: { id, position }, ids: own }) => ({
        ...{ id, ids: own, isOver: false, position, charged: 0 },
      }));
      const found: Run = {
        ...{ tool: event.tool, settings: event.settings, others: event.others, own: event.own, ids, recalledIds: [] },
        ...{ phase: "working", jobs, link: "live", position: positionOf(jobs) },
      };
      const pictures = [...state.pictures, ...event.pictures];
      const settings = event.settings ? { ...state.settings, [event.tool]: event.settings } : state.settings;
      const { tool, others, own = state.own } = event;
      const next: StudioState = {
        ...state,
        pictures,
        settings,
        selectedId: pictures[0]?.id,
        tool,
        others,
        own,
        run: found,
      };
      return event.jobs.reduce((sofar, { job, ids: own }) => job.files.reduce(intoFileOf(own), sofar), next);
    }
    case "job-heard":
      return isUnderWay(run) ? hear(state, run, event) : state;
    case "credits-told":
      return {
        ...state,
        credits: event.credits,
        run: run?.phase === "ended" ? { ...run, charged: event.credits.charged } : run,
      };
    case "link-changed":
      return run?.phase === "working" || run?.phase === "delivering"
        ? { ...state, run: { ...run, link: event.link } }
        : state;
    case "result-arrived":
      return withPicture(state, event.id, (picture) =>
        picture.outcome.kind === "fetching"
          ? { ...picture, outcome: { ...picture.outcome, kind: "done", result: event.result } }
          : picture,
      );
    case "result-lost":
      return withOutcomes(state, [event.id], () => ({ kind: "failed", reason: event.reason, code: event.code }));
    case "run-ended":
      return ended(state, event.ending, () =>
        event.ending === "cancelled"
          ? { kind: "cancelled" }
          : { kind: "failed", reason: errors.interrupted.detail, code: "interrupted" },
      );
    case "run-failed": {
      const obstacle = { field: "service", sentence: event.reason, reference: event.reference } as const;
      return { ...ended(state, "failed", () => ({ kind: "none" })), obstacle };
    }
    case "part-unneeded":
      return withWholeBatchOut(withOutcomes(state, event.ids, () => ({ kind: "unchanged", reason: event.reason })));
    case "save-failed":
      return run?.phase === "ended" ? { ...state, run: { ...run, problem: event.sentence } } : state;
  }
}

/** A result that was here already stands as if it had just been made. */
function withRecalled(state: StudioState, { id, result, notes, confidence }: Recalled): StudioState {
  return withOutcomes(state, [id], () => ({ kind: "done", result, notes, confidence }));
}

/** A new batch tells its own; what is known up to it is kept. */
function withoutCredits(state: StudioState): Pick<StudioState, "credits" | "allowance"> {
  const usage = knownUse(state);
  const { allowance } = state;
  return { credits: undefined, allowance: allowance && usage ? { ...allowance, usage } : allowance };
}

const delayOf = ({ reason, waitSeconds }: { reason: string; waitSeconds: number }) =>
  `${reason} Trying again in ${waitSeconds} s.`;

type JobRun = Extract<Run, { phase: "working" | "delivering" }>;
const isUnderWay = (run: Run | undefined): run is JobRun => run?.phase === "working" || run?.phase === "delivering";
const sentOf = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) => ({ sentBytes, totalBytes });

/** Of several jobs that wait the first one's; undefined as soon as one is at work. */
const positionOf = (jobs: readonly RunJob[]): number | undefined => {
  const positions = jobs.flatMap(({ position, isOver }) => (isOver || position === undefined ? [] : [position]));
  return positions.length > 0 && positions.length === jobs.length ? Math.min(...positions) : undefined;
};

/** The work has begun for all once no picture is left to send. */
function withWholeBatchOut(state: StudioState): StudioState {
  const { run } = state;
  if (
    run?.phase !== "sending" ||
    run.jobs.length === 0 ||
    state.pictures.some(({ outcome }) => outcome.kind === "uploading")
  )
    return state;
  return { ...state, run: { ...batchOf(run), phase: "working", jobs: run.jobs, link: "live", position: undefined } };
}

function hear(
  state: StudioState,
  run: JobRun,
  { jobId, event }: Extract<RunEvent, { type: "job-heard" }>,
): StudioState {
  const job = run.jobs.find(({ id }) => id === jobId);
  if (!job) return state;
  const intoFile = intoFileOf(job.ids);
  switch (event.type) {
    case "snapshot":
      return withJob(event.job.files.reduce(intoFile, state), run, { ...job, ...toldOf(event.job, job) }, event.job);
    case "file":
      return intoFile(state, event.file);
    case "job":
      return withJob(state, run, { ...job, ...toldOf(event, job) }, event);
  }
}

type Told = { state: Job["state"]; position?: number | undefined; credits?: Credits | undefined };

const toldOf = ({ state, position, credits }: Told, { charged }: RunJob) => ({
  ...{ isOver: state !== "queued" && state !== "running", position },
  charged: credits?.charged ?? charged,
});

/** The run with one of its jobs as it was told. The credits of a batch are those of its jobs together. */
function withJob(state: StudioState, run: JobRun, job: RunJob, { credits: told }: Told): StudioState {
  const jobs = run.jobs.map((one) => (one.id === job.id ? job : one));
  const charged = jobs.reduce((sum, one) => sum + one.charged, 0);
  const heard = { ...batchOf(run), jobs, link: "live" } as const;
  const next: Run = jobs.every(({ isOver }) => isOver)
    ? { ...heard, phase: "delivering" }
    : { ...heard, phase: "working", position: positionOf(jobs) };
  return { ...state, credits: told ? { ...told, charged } : state.credits, run: next };
}

/** The part of a run that all phases keep. */
const batchOf = ({ tool, settings, others, own, ids, recalledIds }: Run) => ({
  ...{ tool, settings, others, own, ids, recalledIds },
});

/** The picture of a job's file as the file now stands. An older report does not undo a result that has arrived. */
const intoFileOf =
  (ids: readonly PictureId[]) =>
  (state: StudioState, file: JobFile): StudioState => {
    const id = ids[file.index];
    if (!id) return state;
    return withPicture(state, id, (picture) => {
      const { source } = file;
      const sides =
        picture.sides ??
        (source?.width && source.height ? { widthPx: source.width, heightPx: source.height } : undefined);
      const sizeBytes = picture.sizeBytes || (source?.size_bytes ?? 0);
      return {
        ...picture,
        sides,
        sizeBytes,
        outcome: isBusy(picture) || picture.outcome.kind === "none" ? outcomeOf(file) : picture.outcome,
      };
    });
  };

function outcomeOf(file: JobFile): Outcome {
  switch (file.state) {
    case "waiting":
      return { kind: "waiting" };
    case "working":
      return { kind: "working", progress: file.progress, stage: file.stage };
    case "done":
      return { kind: "fetching", notes: file.notes, confidence: file.confidence };
    case "unchanged":
      return { kind: "unchanged", reason: file.reason ?? "" };
    case "failed":
      return { kind: "failed", reason: file.reason ?? errors["engine-failed"].detail, code: file.code };
    case "cancelled":
      return { kind: "cancelled" };
  }
}

/** Each picture's part of the upload: a form's files go out one after the other. */
function withUploadShares(state: StudioState, ids: readonly PictureId[], sentBytes: number): StudioState {
  let offset = 0;
  const sizes = new Map(state.pictures.map(({ id, sizeBytes }) => [id, sizeBytes]));
  const shares = new Map<PictureId, number>();
  for (const id of ids) {
    const sizeBytes = sizes.get(id) ?? 0;
    shares.set(id, Math.min(1, Math.max(0, (sentBytes - offset) / Math.max(1, sizeBytes))));
    offset += sizeBytes;
  }
  // A picture whose share stays is the same object: its row is not drawn again.
  const pictures = state.pictures.map((picture) => {
    const share = shares.get(picture.id);
    const { outcome } = picture;
    // One of a job that the server has taken in is past its upload.
    if (share === undefined || outcome.kind !== "uploading" || outcome.share === share) return picture;
    return { ...picture, outcome: { kind: "uploading", share } as const };
  });
  return { ...state, pictures };
}

function withOutcomes(
  state: StudioState,
  ids: readonly PictureId[],
  outcomeOfOne: (picture: Picture) => Outcome,
): StudioState {
  const chosen = new Set(ids);
  const pictures = state.pictures.map((picture) =>
    chosen.has(picture.id) ? { ...picture, outcome: outcomeOfOne(picture) } : picture,
  );
  return { ...state, pictures };
}

/** The run's end; what is still unfinished then gets the outcome that the end gives it. */
function ended(state: StudioState, ending: "done" | "cancelled" | "failed", left: () => Outcome): StudioState {
  if (!state.run || state.run.phase === "ended") return state;
  const busy = state.pictures.filter(isBusy).map(({ id }) => id);
  const charged = state.credits?.charged;
  const run: Run = { ...batchOf(state.run), phase: "ended", ending, charged, problem: undefined };
  return { ...withOutcomes(state, busy, left), run };
}
