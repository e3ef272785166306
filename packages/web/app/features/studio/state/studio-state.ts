import {
  type Credits,
  type InputFormat,
  type Limits,
  limits,
  type OperationName,
  type TierName,
  type WrittenStep,
} from "@tintype/contract";
// The operator's plans have to be in the table before the first state is made of it.
import "../../../lib/brand.ts";
import type { Sides } from "./frame.ts";
import type { Obstacle } from "./obstacle.ts";
import type { Orders, Part } from "./order.ts";
import type { Picture, PictureId } from "./picture.ts";
import { defaultSettings, type Settings } from "./settings.ts";
import { planOf } from "./steps.ts";

/** How well the page hears the server about a running job. */
export type Link = "live" | "reconnecting" | "offline" | "lost";

/** One of a batch's jobs: pictures that are sent with the same steps, in the order of the job's files. */
export type RunJob = {
  id: string;
  ids: readonly PictureId[];
  isOver: boolean;
  position: number | undefined;
  /** Credits, as far as the server has told. */
  charged: number;
};

/**
 * The batch that is under way or was the last one. `ids` are the pictures sent, in the order of sending; `recalledIds`
 * those whose results were here already.
 */
export type Run = {
  /** Tells the answers of one batch from those of the next. */
  batch: number;
  /** Of the form, as it was when the batch was begun. */
  tool: OperationName;
  steps: readonly WrittenStep[];
  ids: readonly PictureId[];
  recalledIds: readonly PictureId[];
  /** What was last done to each picture, by this batch or one before it. A batch that was found again may have come without. */
  orders: Orders;
  /** The key of the work on each picture, where its original is here. */
  keys: ReadonlyMap<PictureId, string>;
} & Stage;

type Stage =
  /** `parts` are still to be sent, the first one now; `sentBytes` and `totalBytes` are the whole batch's. */
  | {
      phase: "sending";
      jobs: readonly RunJob[];
      parts: readonly Part[];
      part: { sentBytes: number; totalBytes: number };
      sentBytes: number;
      totalBytes: number;
      delay: string | undefined;
    }
  | { phase: "working"; jobs: readonly RunJob[]; link: Link; position: number | undefined }
  /** The server is finished; results are being downloaded. */
  | { phase: "delivering"; jobs: readonly RunJob[]; link: Link }
  /** `charged`: credits, as far as the server has told; `problem`: of saving the results. */
  | {
      phase: "ended";
      ending: "done" | "cancelled" | "failed";
      charged: number | undefined;
      problem: string | undefined;
    };

type Announcement = { id: number; sentence: string };

/** The person at the page: `id` keeps one person's results from another's. */
export type Caller = { id: string; tier: TierName };

/** The tier whose limits hold: its name and its row of the table. */
export type Allowance = { tier: TierName; limits: Limits; usage: { used: number; limit: number } };

/** Pictures that were taken away, each with its place, and what else went with them. */
export type Removal = {
  taken: ReadonlyArray<{ picture: Picture; index: number }>;
  selectedId: PictureId | undefined;
  selection: ReadonlySet<PictureId>;
  run: Run | undefined;
  earlierRuns: readonly Run[];
};

/** A result that this browser keeps. */
export type RecentResult = {
  key: string;
  tool: OperationName;
  name: string;
  format: InputFormat;
  sourceName: string;
  sides: Sides;
  sizeBytes: number;
  sourceBytes: number;
  keptAtMs: number;
  isSaved: boolean;
};

export type StudioState = {
  tool: OperationName;
  /** What was typed, for each tool. */
  settings: Settings;
  /** What is done to the pictures, in order. The form shows the step under the cursor, and writes it down with each change. */
  steps: readonly WrittenStep[];
  cursor: number;
  /** Why the source format is not filled in. */
  detection: string | undefined;
  pictures: readonly Picture[];
  /** The one on the stage. */
  selectedId: PictureId | undefined;
  /** The pictures that a submit is about; empty: all. */
  selection: ReadonlySet<PictureId>;
  /** Pictures that were added to be started at once, and wait until nothing else is under way. */
  toStart: ReadonlySet<PictureId>;
  /** The latest last. */
  removals: readonly Removal[];
  recent: readonly RecentResult[];
  /** Pictures whose results are here already, with the present tool and settings. */
  knownIds: ReadonlySet<PictureId>;
  caller: Caller | undefined;
  allowance: Allowance | undefined;
  /** A guest's credits as this browser last heard of them; docs/product.md gives the value before that. */
  guestUse: Allowance["usage"];
  obstacle: Obstacle | undefined;
  /** How results are named, as `{name}-{width}w`; blank: by their own names. */
  namePattern: string;
  /** Of files that were dropped and not taken in. */
  refusals: readonly string[];
  run: Run | undefined;
  /** The number of the latest batch. */
  batch: number;
  /** The latest batch is being put together: results that are here already are looked up, and credits counted. */
  isPreparing: boolean;
  /** The runs whose results became the pictures, the latest last. */
  earlierRuns: readonly Run[];
  /** As the running or latest job told them; of no more use once the allowance was asked for again. */
  credits: Credits | undefined;
  /** For the screen reader's live region: the latest few. */
  announcements: readonly Announcement[];
};

export const initialState: StudioState = {
  tool: "compress",
  settings: defaultSettings,
  steps: planOf("compress", defaultSettings).steps,
  cursor: 0,
  detection: undefined,
  pictures: [],
  selectedId: undefined,
  selection: new Set(),
  toStart: new Set(),
  removals: [],
  recent: [],
  knownIds: new Set(),
  caller: undefined,
  allowance: undefined,
  guestUse: { used: 0, limit: limits.guest.credits },
  obstacle: undefined,
  namePattern: "",
  refusals: [],
  run: undefined,
  batch: 0,
  isPreparing: false,
  earlierRuns: [],
  credits: undefined,
  announcements: [],
};

export const isRunning = ({ run }: StudioState): boolean => run !== undefined && run.phase !== "ended";

/** Whether a picture of the batch under way can still be cancelled alone: one whose bytes are going out goes with its part. */
export function mayCancelOne({ run, pictures }: Pick<StudioState, "run" | "pictures">, id: PictureId): boolean {
  if (!run || run.phase === "ended") return false;
  const kind = pictures.find((picture) => picture.id === id)?.outcome.kind;
  if (run.jobs.some(({ ids }) => ids.includes(id))) return kind === "waiting" || kind === "working";
  return run.phase === "sending" && kind === "uploading" && run.parts.slice(1).some(({ ids }) => ids.includes(id));
}

/** The tier whose limits hold: as the server told, or as the table says of the known session; undefined until then. */
export function limitsOf({
  allowance,
  caller,
}: Pick<StudioState, "allowance" | "caller">): Pick<Allowance, "tier" | "limits"> | undefined {
  if (allowance) return allowance;
  return caller && { tier: caller.tier, limits: limits[caller.tier] };
}
