import type { Job, JobFile } from "@tintype/contract";
import type { Picture, PictureId, Result } from "../state/picture.ts";
import { reduceStudio } from "../state/reduce-studio.ts";
import type { Settings } from "../state/settings.ts";
import type { StudioEvent } from "../state/studio-event.ts";
import { initialState, type StudioState } from "../state/studio-state.ts";

export const idOf = (name: string) => name as PictureId; // tests name pictures by hand

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
  isKept: false,
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

/** The state after the events, one after the other. */
export const after = (events: readonly StudioEvent[], from: StudioState = initialState): StudioState =>
  events.reduce(reduceStudio, from);

export const added = (...names: string[]): StudioEvent => ({
  type: "pictures-added",
  pictures: names.map((name) => picture(name)),
  refusals: [],
});

/** A run of these pictures, with the settings that the state has then unless others are given. */
export const started = (names: readonly string[], settings: Settings["compress"] = { quality: "75" }): StudioEvent => ({
  ...{ type: "run-started", tool: "compress", settings },
  ...{ ids: names.map(idOf), recalledIds: [] },
});

/** Two pictures that have been sent and taken in as `job-1`. */
export const accepted = (...names: string[]): StudioState =>
  after([added(...names), started(names), { type: "job-accepted", jobId: "job-1", ids: names.map(idOf) }]);

export const outcomes = (state: StudioState) => state.pictures.map(({ outcome }) => outcome.kind);
