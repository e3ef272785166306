import type { Credits, InputFormat, Job, JobEvent, OperationName } from "@tintype/contract";
import type { Frame, Sides } from "./frame.ts";
import type { Obstacle } from "./obstacle.ts";
import type { Order, Orders } from "./order.ts";
import type { HeldResult, Outcome, Picture, PictureId, Preview, Remarks, Result } from "./picture.ts";
import type { Settings, ToolSettings } from "./settings.ts";
import type { Plan } from "./steps.ts";
import type { Allowance, Caller, Link, RecentResult } from "./studio-state.ts";

type SettingChange = {
  [Tool in OperationName]: { type: "setting-changed"; tool: Tool; patch: Partial<Settings[Tool]> };
}[OperationName];

/** The person's choices before and after a run, and the facts that the page learns about the person. */
export type SetupEvent =
  | { type: "tool-chosen"; tool: OperationName }
  /** All steps at once, and the one that the form shows. */
  | ({ type: "steps-chosen" } & Plan)
  | SettingChange
  | { type: "format-detected"; format: InputFormat }
  /** The first picture's format cannot be told; `sentence` says so. */
  | { type: "format-unknown"; sentence: string }
  /** Undefined until it is known who is at the page. */
  | { type: "caller-known"; caller: Caller | undefined }
  | { type: "usage-remembered"; usage: Allowance["usage"] }
  /** `creditsBefore`: what jobs had told when the server was asked. What they told since is newer than the answer. */
  | { type: "allowance-known"; allowance: Allowance; creditsBefore?: Credits | undefined }
  | { type: "obstacle-met"; obstacle: Obstacle | undefined };

export type PictureEvent =
  | { type: "pictures-added"; pictures: readonly Picture[]; refusals: readonly string[] }
  /** Pictures that were added are to be started as soon as nothing else is under way. */
  | { type: "start-wished"; ids: readonly PictureId[] }
  | { type: "refusals-read" }
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
  /** Undefined: the picture goes by the form again. */
  /** Of the grid. */
  | { type: "selection-changed"; ids: ReadonlySet<PictureId> }
  | { type: "own-options-set"; ids: readonly PictureId[]; tool: OperationName; settings: ToolSettings | undefined }
  /** Undefined: the picture as it is. */
  | { type: "frame-changed"; id: PictureId; frame: Frame | undefined }
  /** Every picture gets this one's crop and turn, in shares of its own size. */
  | { type: "frame-copied"; id: PictureId }
  | { type: "names-set"; pattern: string }
  /** Of a cut-out: another background, shadow, crop or matte, at no cost. */
  | { type: "result-edited"; id: PictureId; result: Partial<Result> }
  /** A result is held until the person decides; or what became of one that was, `held`. */
  | { type: "outcome-changed"; id: PictureId; outcome: Outcome; held?: HeldResult }
  | { type: "results-saved"; ids: readonly PictureId[] }
  | { type: "results-kept"; ids: readonly PictureId[] }
  /** These pictures' results are here already: a submit of them costs nothing. */
  | { type: "known-results-found"; ids: ReadonlySet<PictureId> }
  /** Results of this browser, kept from this visit or an earlier one; newest first. */
  | { type: "recent-known"; recent: readonly RecentResult[] }
  /** Results become the pictures that are worked on next. */
  | { type: "results-adopted" }
  /** The originals are worked on again, in place of their results. */
  | { type: "originals-chosen" };

/** `ids`: the picture of each of its files. */
export type FoundJob = { job: Job; ids: readonly PictureId[] };

/** A batch of an earlier visit, with a picture for each of its jobs' files, and its orders where they were kept. */
export type FoundBatch = {
  jobs: readonly FoundJob[];
  pictures: readonly Picture[];
  tool: OperationName;
  plan: Plan | undefined;
  orders: ReadonlyMap<PictureId, Order>;
  keys: ReadonlyMap<PictureId, string>;
};

export type Recalled = Remarks & { id: PictureId; result: Result };

/** Why the server, or the network, did not do what was asked. */
export type Refusal = {
  sentence: string;
  code: string | undefined;
  status: number | undefined;
  reference: string | undefined;
};

/** What happens to a batch. All but the person's own events carry its number: those of another batch change nothing. */
export type RunEvent =
  /** `count`: of the pictures that can go, only the first so many; `ids`: only these, whatever is selected. */
  | { type: "submitted"; count?: number | undefined; ids?: ReadonlySet<PictureId> | undefined }
  /** Nothing is under way, and the pictures to start are in and judged. `isWished`: the person still wants them started. */
  | { type: "start-due"; isWished: boolean }
  /** The latest run's failed or cancelled pictures once more, as that run had them. */
  | { type: "retried"; ids: ReadonlySet<PictureId> }
  /** The latest run's recalled pictures once more, for new credits. */
  | { type: "run-again" }
  /** `recalled`: results that are here already, in place of work that would be paid a second time. */
  | {
      type: "prepared";
      batch: number;
      recalled: readonly Recalled[];
      orders: Orders;
      keys: ReadonlyMap<PictureId, string>;
      /** The credits do not suffice. "told": the page has said it. */
      shortage: Obstacle | "told" | undefined;
    }
  | { type: "preparation-failed"; batch: number }
  /** Of the part that is being sent. */
  | { type: "upload-progressed"; batch: number; sentBytes: number; totalBytes: number }
  /** `isNews`: a screen reader has not been told yet. */
  | { type: "upload-delayed"; batch: number; reason: string; waitSeconds: number; isNews: boolean }
  | { type: "part-accepted"; batch: number; jobId: string }
  /** The server says that there is nothing to do. */
  | { type: "part-unneeded"; batch: number; reason: string }
  | { type: "part-refused"; batch: number; refusal: Refusal }
  | { type: "batch-found"; found: FoundBatch }
  | { type: "job-heard"; batch: number; jobId: string; event: JobEvent }
  | { type: "link-changed"; batch: number; link: Exclude<Link, "lost">; isNews: boolean }
  | { type: "result-arrived"; batch: number; id: PictureId; result: Result }
  | { type: "result-lost"; batch: number; id: PictureId; reason: string; code: string | undefined }
  /** All jobs are over, and all results are here. */
  | { type: "followed"; batch: number }
  /** Too many tries failed: the person is asked. */
  | { type: "connection-lost"; batch: number }
  | { type: "follow-refused"; batch: number; refusal: Refusal }
  | { type: "reconnected" }
  | { type: "cancelled" }
  /** One picture of the batch; the others go on. */
  | { type: "picture-cancelled"; id: PictureId }
  /** Of jobs that were cancelled: what came back. */
  | { type: "credits-told"; batch: number; credits: Credits }
  /** The results could not be written to a file. */
  | { type: "save-failed"; sentence: string };

export type StudioEvent = SetupEvent | PictureEvent | RunEvent;
