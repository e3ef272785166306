import {
  type Credits,
  type InputFormat,
  type Limits,
  limits,
  type OperationName,
  type TierName,
  type WrittenStep,
} from "@tintype/contract";
// Applies the operator's plans to the `limits` table before the initial state reads it.
import "../../../lib/brand.ts";
import type { CreditUsage } from "../../../lib/credit-shortage.ts";
import type { Sides } from "./frame.ts";
import type { GridView } from "./grid-view.ts";
import type { Obstacle } from "./obstacle.ts";
import type { Orders, Part } from "./order.ts";
import type { Picture, PictureId } from "./picture.ts";
import { defaultSettings, type Settings } from "./settings.ts";
import { planOf } from "./steps.ts";

/** State of the connection for a running job's events. */
export type Link = "live" | "reconnecting" | "offline" | "lost";

/** One of a batch's jobs: pictures sent with the same steps, in the order of the job's files. */
export type RunJob = {
  id: string;
  ids: readonly PictureId[];
  isOver: boolean;
  position: number | undefined;
  /** Credits reported by the server so far. */
  charged: number;
};

/**
 * The running batch or the last one. `ids` are the pictures sent, in the order of sending; `reusedIds` those whose results
 * existed already.
 */
export type Run = {
  /** Batch number, which tells late responses apart from those of the next batch. */
  batch: number;
  /** The form's tool when the batch was started. */
  tool: OperationName;
  steps: readonly WrittenStep[];
  ids: readonly PictureId[];
  reusedIds: readonly PictureId[];
  /** What was last done to each picture, by this batch or an earlier one. A batch found after a reload may lack it. */
  orders: Orders;
  /** The work key of each picture whose original is on this page. */
  keys: ReadonlyMap<PictureId, string>;
} & Stage;

type Stage =
  /** `parts` are still to be sent; the first is being sent. `sentBytes` and `totalBytes` are those of the whole batch. */
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
  /** `charged`: credits reported by the server so far; `problem`: an error while saving the results. */
  | {
      phase: "ended";
      ending: "done" | "cancelled" | "failed";
      charged: number | undefined;
      problem: string | undefined;
    };

type Announcement = { id: number; sentence: string };

/** The caller of this page: `id` separates one user's stored results from another's. */
export type Caller = { id: string; tier: TierName };

/** The tier whose limits apply: its name, its row in the `limits` table, and the usage. */
export type Allowance = { tier: TierName; limits: PictureLimits; usage: CreditUsage | undefined };
/** Credits are in `usage`, which is undefined where they are not limited. */
type PictureLimits = Omit<Limits, "credits">;

/** Removed pictures with their positions, and the rest of the state to restore. */
export type Removal = Pick<StudioState, "selectedId" | "selection" | "run" | "earlierRuns"> & {
  entries: ReadonlyArray<{ picture: Picture; index: number }>;
};

/** A result stored in this browser. */
export type RecentResult = {
  key: string;
  /** The same for all results of one submit; none for those of an earlier version. */
  batch?: string;
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
  /** The values as typed, by tool. */
  settings: Settings;
  /** What is done to the pictures, in order. The form shows the step under the cursor and updates it with each change. */
  steps: readonly WrittenStep[];
  cursor: number;
  /** Why the source format could not be detected. */
  detection: string | undefined;
  pictures: readonly Picture[];
  /** The picture on the stage. */
  selectedId: PictureId | undefined;
  grid: GridView;
  /** The pictures that a submit sends; if empty, all. */
  selection: ReadonlySet<PictureId>;
  /** Pictures added with "start at once" that wait until no batch is running. */
  toStart: ReadonlySet<PictureId>;
  /** How many images of an earlier visit are being brought back. */
  restoring: number;
  /** Latest last. */
  removals: readonly Removal[];
  recent: readonly RecentResult[];
  /** Pictures whose results for the current tool and settings exist already. */
  knownIds: ReadonlySet<PictureId>;
  /** Pictures that are results, on which the current steps cost nothing, as the server said. */
  freeIds?: ReadonlySet<PictureId>;
  caller: Caller | undefined;
  allowance: Allowance | undefined;
  /** A guest's credits as this browser last received them. Before that the default of docs/product.md applies. */
  guestUsage: CreditUsage;
  obstacle: Obstacle | undefined;
  /** The pattern of result names, such as `{name}-{width}w`; if blank, results keep their names. */
  namePattern: string;
  /** Messages about files that were not accepted. */
  refusals: readonly string[];
  run: Run | undefined;
  /** Number of the latest batch. */
  batch: number;
  /** The latest batch is being prepared: existing results are looked up and credits checked. */
  isPreparing: boolean;
  /** Runs whose results became the pictures, latest last. */
  earlierRuns: readonly Run[];
  /** As reported by the running or latest job; dropped when a newer allowance arrives. */
  credits: Credits | undefined;
  /** The latest announcements for the live region. */
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
  grid: { isOpen: false, group: "all", sort: "added", cellPx: 160 },
  selection: new Set(),
  toStart: new Set(),
  restoring: 0,
  removals: [],
  recent: [],
  knownIds: new Set(),
  caller: undefined,
  allowance: undefined,
  guestUsage: { used: 0, limit: limits.guest.credits },
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

/** Pictures of the running batch that can still be cancelled individually. A part that is being uploaded cannot be split. */
export function cancellableIds({ run, pictures }: Pick<StudioState, "run" | "pictures">): ReadonlySet<PictureId> {
  if (!run || run.phase === "ended") return new Set();
  const accepted = new Set(run.jobs.flatMap(({ ids }) => ids));
  const unsent = new Set(run.phase === "sending" ? run.parts.slice(1).flatMap(({ ids }) => ids) : []);
  const cancellable = pictures.filter(({ id, outcome: { kind } }) =>
    accepted.has(id) ? kind === "waiting" || kind === "working" : kind === "uploading" && unsent.has(id),
  );
  return new Set(cancellable.map(({ id }) => id));
}

/** The tier whose limits apply: from the server, or else from the table for the known session; undefined if neither is known. */
export function limitsOf({
  allowance,
  caller,
}: Pick<StudioState, "allowance" | "caller">): Pick<Allowance, "tier" | "limits"> | undefined {
  if (allowance) return allowance;
  return caller && { tier: caller.tier, limits: limits[caller.tier] };
}
