import type { Job, JobEvent, JobFile } from "@tintype/contract";
import { ordersOf } from "../state/order.ts";
import type { Picture, PictureId, Result } from "../state/picture.ts";
import type { RunEvent, StudioEvent } from "../state/studio-event.ts";
import { initialState, type StudioState } from "../state/studio-state.ts";
import { updateStudio } from "../state/update-studio.ts";

export const idOf = (name: string) => name as PictureId; // tests use names as ids

export const picture = (name: string, more: Partial<Picture> = {}): Picture => ({
  id: idOf(name),
  name,
  sizeBytes: 1000,
  file: new File([new Uint8Array(1000)], name, { type: "image/png" }),
  format: "png",
  fault: undefined,
  preview: { kind: "none" },
  sides: { widthPx: 400, heightPx: 300 },
  outcome: { kind: "none" },
  ...more,
});

export const result = (name: string, sizeBytes = 400): Result => ({
  blob: new Blob([new Uint8Array(sizeBytes)], { type: "image/png" }),
  name,
  format: "png",
  sides: { widthPx: 400, heightPx: 300 },
  sizeBytes,
  preview: { kind: "none" },
  isSaved: false,
  key: undefined,
  isCached: false,
});

export const jobFile = (index: number, more: Partial<JobFile> = {}): JobFile => ({
  index,
  name: `${index}.png`,
  state: "waiting",
  progress: 0,
  notes: [],
  delivered: false,
  ...more,
});

export const job = (files: JobFile[], more: Partial<Job> = {}): Job => ({
  id: "job-1",
  operation: "compress",
  steps: ["compress"],
  state: "running",
  progress: 0,
  created_at: "2026-01-01T00:00:00Z",
  files,
  ...more,
});

/** The state after these events. */
export const after = (events: readonly StudioEvent[], from: StudioState = initialState): StudioState =>
  events.reduce((state, event) => updateStudio(state, event).state, from);

export const added = (...names: string[]): StudioEvent => ({
  type: "pictures-added",
  pictures: names.map((name) => picture(name)),
  refusals: [],
});

/** A compression to this quality. */
export const quality = (value: string): StudioEvent => ({
  type: "setting-changed",
  tool: "compress",
  patch: { quality: value },
});

/** A batch of these pictures is being sent, with the state's current options. */
export function sending(
  names: readonly string[],
  from: StudioState = after([added(...names), quality("75")]),
): StudioState {
  const ids = new Set(names.map(idOf));
  const orders = ordersOf(
    from,
    from.pictures.filter(({ id }) => ids.has(id)),
  );
  const batch = from.batch + 1;
  const prepared = { batch, reused: [], orders, keys: new Map(), shortage: undefined };
  return after([{ type: "prepared", ...prepared }], { ...from, batch, isPreparing: true });
}

/** The server has accepted the whole batch, its first part as `job-1`. */
export function accepted(names: readonly string[], from?: StudioState): StudioState {
  let state = sending(names, from);
  for (let job = 1; state.run?.phase === "sending"; job += 1)
    state = after(
      [{ type: "part-accepted", batch: state.batch, jobId: `job-${job}`, idempotencyKey: `key-${job}` }],
      state,
    );
  return state;
}

export const heard = (event: JobEvent, { batch = 1, jobId = "job-1" } = {}): RunEvent => ({
  type: "job-event-received",
  batch,
  jobId,
  event,
});

/** The picture's result has been downloaded. */
export const arrived = (name: string, { batch = 1, sizeBytes = 400 } = {}): StudioEvent => ({
  type: "result-arrived",
  batch,
  id: idOf(name),
  result: result(`${name}.png`, sizeBytes),
});

/** The first batch has ended with these pictures done and those failed. */
export function finished(done: readonly string[], failed: readonly string[] = []): StudioState {
  const names = [...done, ...failed];
  const files = names.map((_, index) =>
    index < done.length
      ? jobFile(index, { state: "done", progress: 1 })
      : jobFile(index, { state: "failed", reason: "Damaged.", code: "broken-image" }),
  );
  const events = [
    heard({ type: "snapshot", job: job(files, { state: "done" }) }),
    ...done.map((name) => arrived(name)),
    { type: "followed", batch: 1 } as const,
  ];
  return after(events, accepted(names));
}

export const outcomes = (state: StudioState) => state.pictures.map(({ outcome }) => outcome.kind);
