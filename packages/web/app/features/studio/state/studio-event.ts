import type { Credits, InputFormat, Job, JobEvent, OperationName } from "@tintype/contract";
import type { Picture, PictureId, Preview, Result, Sides } from "./picture.ts";
import type { Settings } from "./settings.ts";
import type { Allowance, Link, Obstacle } from "./studio-state.ts";

type SettingChange = {
  [Tool in OperationName]: { type: "setting-changed"; tool: Tool; patch: Partial<Settings[Tool]> };
}[OperationName];

/** What the person does before and after a run. */
export type SetupEvent =
  | { type: "tool-chosen"; tool: OperationName }
  | SettingChange
  | { type: "format-detected"; format: InputFormat }
  | { type: "allowance-known"; allowance: Allowance }
  | { type: "obstacle-met"; obstacle: Obstacle | undefined };

export type PictureEvent =
  | { type: "pictures-added"; pictures: readonly Picture[]; refusals: readonly string[] }
  | { type: "refusals-read" }
  | { type: "picture-removed"; id: PictureId }
  | { type: "pictures-cleared" }
  | { type: "picture-selected"; id: PictureId }
  | { type: "source-drawn"; id: PictureId; preview: Preview; sides?: Sides }
  | { type: "result-drawn"; id: PictureId; preview: Preview }
  | { type: "results-saved"; ids: readonly PictureId[] }
  /** Results become the pictures that the next tool works on. */
  | { type: "results-adopted"; pictures: readonly Picture[] };

/** What the controller reports of a run. */
export type RunEvent =
  | { type: "run-started"; ids: readonly PictureId[] }
  | { type: "upload-progressed"; sentBytes: number; totalBytes: number }
  | { type: "upload-delayed"; reason: string }
  | { type: "job-accepted"; jobId: string }
  /** A batch of an earlier visit, with a picture for each of its files. */
  | { type: "job-found"; job: Job; pictures: readonly Picture[]; tool: OperationName }
  | { type: "job-heard"; jobId: string; event: JobEvent }
  /** Of a job that was cancelled: what came back. */
  | { type: "credits-told"; credits: Credits }
  | { type: "link-changed"; link: Link }
  | { type: "result-arrived"; id: PictureId; result: Result }
  | { type: "result-lost"; id: PictureId; reason: string; code: string | undefined }
  | { type: "run-ended"; ending: "done" | "cancelled" }
  /** The whole batch was refused or lost; its pictures stand as before it. */
  | { type: "run-failed"; reason: string }
  /** The server says that there is nothing to do. */
  | { type: "run-unneeded"; reason: string };

export type StudioEvent = SetupEvent | PictureEvent | RunEvent;
