import {
  type Credits,
  type Job,
  type JobEvent,
  type JobFile,
  type OperationName,
  operationNames,
  tasks,
  text,
} from "@tintype/contract";
import { formatKilobytes } from "../../../lib/size.ts";
import type { Sides } from "./frame.ts";
import { isBusy, type Outcome, type Picture, type PictureId, type Remarks } from "./picture.ts";
import { withPicture } from "./reduce-pictures.ts";
import type { Run, RunJob, StudioState } from "./studio-state.ts";

// How reports of the server change a batch and its pictures.

export type FollowedRun = Extract<Run, { phase: "working" | "delivering" }>;

/** The lowest queue position of a batch's jobs; undefined once any of them has left the queue. */
export const positionOf = (jobs: readonly RunJob[]): number | undefined => {
  const positions = jobs.flatMap(({ position, isOver }) => (isOver || position === undefined ? [] : [position]));
  return positions.length > 0 && positions.length === jobs.length ? Math.min(...positions) : undefined;
};

/** The state after an event of one of the batch's jobs. Events of other jobs are ignored. */
export function applyJobEvent(
  state: StudioState,
  run: FollowedRun,
  { jobId, event }: { jobId: string; event: JobEvent },
): StudioState {
  const job = run.jobs.find(({ id }) => id === jobId);
  if (!job) return state;
  const reduceFile = fileReducer(job.ids);
  switch (event.type) {
    case "snapshot":
      return withJob(
        event.job.files.reduce(reduceFile, state),
        run,
        { ...job, ...jobUpdate(event.job, job) },
        event.job,
      );
    case "file":
      return reduceFile(state, event.file);
    case "job":
      return withJob(state, run, { ...job, ...jobUpdate(event, job) }, event);
  }
}

type JobReport = { state: Job["state"]; position?: number | undefined; credits?: Credits | undefined };

const jobUpdate = ({ state, position, credits }: JobReport, { charged }: RunJob) => ({
  isOver: state !== "queued" && state !== "running",
  position,
  charged: credits?.charged ?? charged,
});

/** The run with one of its jobs updated. A batch's credits are the sum of its jobs'. */
function withJob(state: StudioState, run: FollowedRun, job: RunJob, { credits: reported }: JobReport): StudioState {
  const jobs = run.jobs.map((one) => (one.id === job.id ? job : one));
  const charged = jobs.reduce((sum, one) => sum + one.charged, 0);
  const updated = { ...run, jobs, link: "live" } as const;
  const next: Run = jobs.every(({ isOver }) => isOver)
    ? { ...updated, phase: "delivering" }
    : { ...updated, phase: "working", position: positionOf(jobs) };
  return { ...state, credits: reported ? { ...reported, charged } : state.credits, run: next };
}

/** Updates the picture of a job's file. A stale report does not undo a result that has arrived. */
export const fileReducer =
  (ids: readonly PictureId[]) =>
  (state: StudioState, file: JobFile): StudioState => {
    const id = ids[file.index];
    if (!id) return state;
    return withPicture(state, id, (picture) => {
      const sides = picture.sides ?? sourceSides(file);
      const sizeBytes = picture.sizeBytes || (file.source?.size_bytes ?? 0);
      return {
        ...picture,
        sides,
        sizeBytes,
        outcome: isBusy(picture) || picture.outcome.kind === "none" ? outcomeOf(file) : picture.outcome,
      };
    });
  };

/** The sides of a job's source, once the engine has read them. */
export const sourceSides = ({ source }: Pick<JobFile, "source">): Sides | undefined =>
  source?.width && source.height ? { widthPx: source.width, heightPx: source.height } : undefined;

function outcomeOf(file: JobFile): Outcome {
  switch (file.state) {
    case "waiting":
      return { kind: "waiting" };
    case "working":
      return { kind: "working", progress: file.progress, stage: file.stage };
    case "done":
      return { kind: "fetching", ...remarksOf(file) };
    case "unchanged":
      return hasResult(file)
        ? { kind: "fetching", ...remarksOf(file) }
        : { kind: "unchanged", reason: file.reason ?? "" };
    case "failed":
      return failureOf(file);
    case "cancelled":
      return { kind: "cancelled", isDiscarded: file.code === "discarded" };
  }
}

/** Whether there is something to download. An unchanged file is that of the user, unless its name had the wrong extension. */
export const hasResult = ({ state, name, result }: JobFile): boolean =>
  state === "done" || (state === "unchanged" && result !== undefined && result.name !== name);

export const remarksOf = ({ state, reason, notes, confidence, candidates, incomplete }: JobFile): Remarks => ({
  notes: state === "unchanged" && reason !== undefined ? [reason, ...notes] : notes,
  confidence,
  candidates: candidates?.confidences,
  isIncomplete: incomplete,
});

/** Replaces the operation in "Step 2 (remove-background): ..." with the tool's label. */
export const withToolNames = (sentence: string): string =>
  sentence.replace(/^Step (\d+) \(([a-z-]+)\): /, (whole, place: string, name: string) =>
    isOperation(name) ? `Step ${place}, ${tasks[name].label}: ` : whole,
  );
const isOperation = (name: string): name is OperationName => operationNames.some((one) => one === name);

/** Uses the server's sentence, unless it names fields of the API. */
function failureOf({ code, reason, smallest_bytes: smallestBytes }: JobFile): Outcome {
  if (code !== "size-unreachable") return { kind: "failed", reason: withToolNames(reason ?? text.engineFailed), code };
  const minimum =
    smallestBytes === undefined ? "" : ` At this size in pixels it needs ${formatKilobytes(smallestBytes)}.`;
  return {
    kind: "failed",
    reason: `The maximum file size is too small for this image.${minimum}`,
    code,
    smallestBytes,
  };
}

/** Each picture's share of the upload: a form's files are sent one after the other. */
export function withUploadShares(state: StudioState, ids: readonly PictureId[], sentBytes: number): StudioState {
  let offset = 0;
  const sizes = new Map(state.pictures.map(({ id, sizeBytes }) => [id, sizeBytes]));
  const shares = new Map<PictureId, number>();
  for (const id of ids) {
    const sizeBytes = sizes.get(id) ?? 0;
    shares.set(id, Math.min(1, Math.max(0, (sentBytes - offset) / Math.max(1, sizeBytes))));
    offset += sizeBytes;
  }
  // An unchanged picture stays the same object, so that its row does not render again.
  const pictures = state.pictures.map((picture) => {
    const share = shares.get(picture.id);
    const { outcome } = picture;
    // A picture of an accepted job has been uploaded already.
    if (share === undefined || outcome.kind !== "uploading" || outcome.share === share) return picture;
    return { ...picture, outcome: { kind: "uploading", share } as const };
  });
  return { ...state, pictures };
}

export function withOutcomes(
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

/** Ends the run. Unfinished pictures get the outcome `left`. Waiting pictures start only after a run that ended as `done`. */
export function endRun(state: StudioState, ending: "done" | "cancelled" | "failed", left: Outcome): StudioState {
  const { run, credits } = state;
  if (!run || run.phase === "ended") return state;
  const busy = state.pictures.filter(isBusy).map(({ id }) => id);
  const { batch, tool, steps, ids, reusedIds, orders, keys } = run;
  const end = { phase: "ended", ending, charged: credits?.charged, problem: undefined } as const;
  return {
    ...withOutcomes(state, busy, () => left),
    toStart: ending === "done" ? state.toStart : new Set(),
    run: { batch, tool, steps, ids, reusedIds, orders, keys, ...end },
  };
}
