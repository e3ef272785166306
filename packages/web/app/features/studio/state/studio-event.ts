import type { Credits, InputFormat, Job, JobEvent, OperationName } from "@tintype/contract";
import type { Picture, PictureId, Preview, Remarks, Result, Sides } from "./picture.ts";
import type { Frame, Settings } from "./settings.ts";
import type { Allowance, Caller, Link, Obstacle, OtherSteps, RecentResult, ToolSettings } from "./studio-state.ts";

type SettingChange = {
  [Tool in OperationName]: { type: "setting-changed"; tool: Tool; patch: Partial<Settings[Tool]> };
}[OperationName];

/** The person's steps before and after a run, and the facts that the page learns about the person. */
export type SetupEvent =
  | { type: "tool-chosen"; tool: OperationName }
  /** The tool's own step and those around it, all at once. */
  | { type: "steps-chosen"; tool: OperationName; settings: Settings[OperationName]; others: OtherSteps | undefined }
  | SettingChange
  /** Undefined: the picture goes by the form again. */
  | { type: "own-options-set"; id: PictureId; tool: OperationName; settings: Settings[OperationName] | undefined }
  /** Undefined: the pictures as they are. It holds for every tool. */
  | { type: "frame-changed"; frame: Frame | undefined }
  | { type: "format-detected"; format: InputFormat }
  /** The first picture's format cannot be told; `sentence` says so. */
  | { type: "format-unknown"; sentence: string }
  /** Undefined until it is known who is at the page. */
  | { type: "caller-known"; caller: Caller | undefined }
  | { type: "usage-remembered"; usage: Allowance["usage"] }
  | { type: "allowance-known"; allowance: Allowance }
  | { type: "obstacle-met"; obstacle: Obstacle | undefined };

export type PictureEvent =
  | { type: "pictures-added"; pictures: readonly Picture[]; refusals: readonly string[] }
  | { type: "refusals-read" }
  | { type: "picture-removed"; id: PictureId }
  | { type: "pictures-removed"; ids: readonly PictureId[] }
  | { type: "pictures-cleared" }
  /** The latest removal is taken back. */
  | { type: "removal-undone" }
  | { type: "removals-accepted" }
  | { type: "picture-selected"; id: PictureId }
  | { type: "picture-judged"; id: PictureId; fault: string }
  /** A picture that was named by its address is here. */
  | { type: "picture-fetched"; id: PictureId; picture: Pick<Picture, "file" | "sizeBytes" | "format" | "sides"> }
  | { type: "source-drawn"; id: PictureId; preview: Preview; sides?: Sides }
  | { type: "result-drawn"; id: PictureId; preview: Preview }
  | { type: "names-set"; pattern: string }
  /** Of a cut-out: another background, shadow, crop or matte, at no cost. */
  | { type: "result-edited"; id: PictureId; result: Partial<Result> }
  | { type: "results-saved"; ids: readonly PictureId[] }
  | { type: "results-kept"; ids: readonly PictureId[] }
  /** These pictures' results are here already: a submit of them costs nothing. */
  | { type: "known-results-found"; ids: ReadonlySet<PictureId> }
  /** Results of this browser, kept from this visit or an earlier one; newest first. */
  | { type: "recent-known"; recent: readonly RecentResult[] }
  /** Results become the pictures that the next tool works on. */
  | { type: "results-adopted"; pictures: readonly Picture[] };

/** `ids`: the picture of each of its files. */
export type FoundJob = { job: Job; ids: readonly PictureId[] };

export type Recalled = Remarks & { id: PictureId; result: Result };

/** The controller's reports of a run. */
export type RunEvent =
  /** Results that are here already, in place of work that would be paid a second time. */
  | ({ type: "results-recalled"; results: readonly Recalled[] } & ToolSettings)
  | ({ type: "run-started"; ids: readonly PictureId[]; recalledIds: readonly PictureId[] } & ToolSettings)
  | { type: "upload-progressed"; sentBytes: number; totalBytes: number }
  /** `isNews`: a screen reader has not been told yet. */
  | { type: "upload-delayed"; reason: string; waitSeconds: number; isNews: boolean }
  /** `ids`: its pictures, in the order of its files. */
  | { type: "job-accepted"; jobId: string; ids: readonly PictureId[] }
  /** Pictures of a batch of which others are on their way or done. */
  | { type: "part-refused"; ids: readonly PictureId[]; reason: string; code: string | undefined }
  /** A batch of an earlier visit, with a picture for each of its jobs' files, and its settings where they were kept. */
  | ({ type: "job-found"; jobs: readonly FoundJob[]; pictures: readonly Picture[] } & ToolSettings)
  | { type: "job-heard"; jobId: string; event: JobEvent }
  /** Of a job that was cancelled: what came back. */
  | { type: "credits-told"; credits: Credits }
  | { type: "link-changed"; link: Link; isNews: boolean }
  | { type: "result-arrived"; id: PictureId; result: Result }
  | { type: "result-lost"; id: PictureId; reason: string; code: string | undefined }
  | { type: "run-ended"; ending: "done" | "cancelled" }
  /** The whole batch was refused or lost; its pictures stand as before it. */
  | { type: "run-failed"; reason: string; reference: string | undefined }
  /** The server says that there is nothing to do. */
  | { type: "part-unneeded"; ids: readonly PictureId[]; reason: string }
  /** The results could not be written to a file. */
  | { type: "save-failed"; sentence: string };

export type StudioEvent = SetupEvent | PictureEvent | RunEvent;
