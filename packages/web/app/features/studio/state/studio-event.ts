import type { Credits, InputFormat, Job, JobEvent, OperationName } from "@tintype/contract";
import type { CreditUsage } from "../../../lib/credit-shortage.ts";
import type { Frame, Sides } from "./frame.ts";
import type { GridView } from "./grid-view.ts";
import type { Obstacle } from "./obstacle.ts";
import type { Order, Orders } from "./order.ts";
import type { HeldResult, Outcome, Picture, PictureId, Preview, Remarks, Result } from "./picture.ts";
import type { Settings, ToolSettings } from "./settings.ts";
import type { Plan } from "./steps.ts";
import type { Allowance, Caller, Link, RecentResult, StudioState } from "./studio-state.ts";

type SettingChange = {
  [Tool in OperationName]: { type: "setting-changed"; tool: Tool; patch: Partial<Settings[Tool]> };
}[OperationName];

/** The user's choices before and after a run, and what the page learns about the user. */
export type SetupEvent =
  | { type: "tool-chosen"; tool: OperationName }
  /** Replaces all steps and chooses the one that the form shows. */
  | ({ type: "steps-chosen" } & Plan)
  | SettingChange
  | { type: "format-detected"; format: InputFormat }
  /** The first picture's format could not be detected; `sentence` says so. */
  | { type: "format-unknown"; sentence: string }
  /** Undefined until the session is known. */
  | { type: "caller-known"; caller: Caller | undefined }
  | { type: "usage-remembered"; usage: CreditUsage }
  /** `count` images of an earlier visit are being brought back; 0 once they are here or gone. */
  | { type: "restoring"; count: number }
  /** `creditsBefore`: the credits reported by jobs at the time of the request. Credits reported since then are newer. */
  | { type: "allowance-known"; allowance: Allowance; creditsBefore?: Credits | undefined }
  | { type: "obstacle-met"; obstacle: Obstacle | undefined };

export type PictureEvent =
  | { type: "pictures-added"; pictures: readonly Picture[]; refusals: readonly string[] }
  /** Added pictures should start as soon as no batch is running. */
  | { type: "start-requested"; ids: readonly PictureId[] }
  | { type: "refusals-read" }
  | { type: "pictures-removed"; ids: readonly PictureId[] }
  | { type: "pictures-cleared" }
  /** Undoes the latest removal. */
  | { type: "removal-undone" }
  | { type: "removals-accepted" }
  | { type: "picture-selected"; id: PictureId }
  | { type: "grid-changed"; grid: Partial<GridView> }
  | { type: "picture-judged"; id: PictureId; fault: string }
  /** A picture added by URL has been downloaded. */
  | {
      type: "picture-fetched";
      id: PictureId;
      picture: Pick<Picture, "file" | "sizeBytes" | "format" | "isAnimated" | "sides">;
    }
  | { type: "source-drawn"; id: PictureId; preview: Preview; sides?: Sides }
  | { type: "result-drawn"; id: PictureId; preview: Preview }
  /** The selection in the grid. */
  | { type: "selection-changed"; ids: ReadonlySet<PictureId> }
  /** Undefined settings return the pictures to the form's. */
  | { type: "custom-options-set"; ids: readonly PictureId[]; tool: OperationName; settings: ToolSettings | undefined }
  /** An undefined frame leaves the picture uncropped and unrotated. */
  | { type: "frame-changed"; id: PictureId; frame: Frame | undefined }
  /** Copies this picture's crop and rotation to all pictures, relative to their sizes. */
  | { type: "frame-copied"; id: PictureId }
  | { type: "names-set"; pattern: string }
  /** A cut-out got another background, shadow, crop or matte, free of charge. */
  | { type: "result-edited"; id: PictureId; result: Partial<Result> }
  /** A result is held for the user's decision; or, with `held`, what became of a held result. */
  | { type: "outcome-changed"; id: PictureId; outcome: Outcome; held?: HeldResult }
  | { type: "results-saved"; ids: readonly PictureId[] }
  | { type: "results-cached"; ids: readonly PictureId[] }
  /** These pictures' results exist already, so submitting them costs nothing. */
  | { type: "prices-found"; found: Partial<Pick<StudioState, "knownIds" | "freeIds">> }
  /** Results stored in this browser during this visit or an earlier one, newest first. */
  | { type: "recent-known"; recent: readonly RecentResult[] }
  /** The results become the input. */
  | { type: "results-adopted" }
  /** The originals become the input again, in place of their results. */
  | { type: "originals-chosen" };

/** `ids`: the pictures of the job's files, by file index. */
export type FoundJob = { job: Job; ids: readonly PictureId[] };

/** A batch of an earlier visit, with a picture for each of its jobs' files, and its orders if they were stored. */
export type FoundBatch = {
  jobs: readonly FoundJob[];
  pictures: readonly Picture[];
  tool: OperationName;
  plan: Plan | undefined;
  orders: ReadonlyMap<PictureId, Order>;
  keys: ReadonlyMap<PictureId, string>;
};

export type ReusedResult = Remarks & { id: PictureId; result: Result };

/** Why a request failed, on the server or in the network. */
export type Refusal = {
  sentence: string;
  code: string | undefined;
  status: number | undefined;
  reference: string | undefined;
};

/** Events of a batch. All but the user's own carry the batch number, and those of another batch are ignored. */
export type RunEvent =
  /** `count` limits the batch to the first so many sendable pictures; `ids` overrides the selection. */
  | { type: "submitted"; count?: number | undefined; ids?: ReadonlySet<PictureId> | undefined }
  /** No batch is running, and the pictures to start are added and checked. `isRequested`: the user still wants them started. */
  | { type: "start-due"; isRequested: boolean }
  /** Sends failed or cancelled pictures of the latest run again, with that run's options. */
  | { type: "retried"; ids: ReadonlySet<PictureId> }
  /** Processes the pictures with reused results of the latest run again, for new credits. */
  | { type: "run-again" }
  /** `reused`: existing results, used instead of paying for the same work again. */
  | {
      type: "prepared";
      batch: number;
      reused: readonly ReusedResult[];
      orders: Orders;
      keys: ReadonlyMap<PictureId, string>;
      /** Set if the credits do not suffice. "shown": the page has shown the message. */
      shortage: Obstacle | "shown" | undefined;
    }
  | { type: "preparation-failed"; batch: number }
  /** `idempotencyKey` is the key under which this browser stores the originals of the part. */
  | { type: "part-accepted"; batch: number; jobId: string; idempotencyKey: string }
  | { type: "batch-found"; found: FoundBatch }
  | { type: "reconnected" }
  | { type: "cancelled" }
  /** Cancels one picture of the batch; the others go on. */
  | { type: "picture-cancelled"; id: PictureId }
  /** The credits after a refund for cancelled jobs. */
  | { type: "credits-refunded"; batch: number; credits: Credits }
  /** The results could not be written to a file. */
  | { type: "save-failed"; sentence: string }
  | SendingEvent
  | FollowingEvent;

/** About the part that is being sent. */
export type SendingEvent =
  | { type: "upload-progressed"; batch: number; sentBytes: number; totalBytes: number }
  /** `isNews`: not announced to screen readers yet. */
  | { type: "upload-delayed"; batch: number; reason: string; waitSeconds: number; isNews: boolean }
  /** The server says that there is nothing to do. */
  | { type: "part-unneeded"; batch: number; reason: string }
  | { type: "part-refused"; batch: number; refusal: Refusal };

/** About the jobs of a batch and their results. */
export type FollowingEvent =
  | { type: "job-event-received"; batch: number; jobId: string; event: JobEvent }
  | { type: "link-changed"; batch: number; link: Exclude<Link, "lost">; isNews: boolean }
  | { type: "result-arrived"; batch: number; id: PictureId; result: Result }
  | { type: "result-lost"; batch: number; id: PictureId; reason: string; code: string | undefined }
  /** All jobs are over and all results have been downloaded. */
  | { type: "followed"; batch: number }
  /** Too many attempts failed: the user can retry or cancel. */
  | { type: "connection-lost"; batch: number }
  | { type: "follow-refused"; batch: number; refusal: Refusal };

export type StudioEvent = SetupEvent | PictureEvent | RunEvent;
