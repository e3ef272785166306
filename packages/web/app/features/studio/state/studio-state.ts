import {
  type Credits,
  type Limits,
  limits,
  type OperationName,
  type TierName,
  type WrittenStep,
} from "@tintype/contract";
import { noOwn, type OwnOptions } from "./own-options.ts";
import type { Picture, PictureId, Sides } from "./picture.ts";
import { defaultSettings, type Settings } from "./settings.ts";

/** How well the page hears the server about a running job. */
export type Link = "live" | "reconnecting" | "offline" | "lost";

/** Steps that stand around the tool's own one: together they are a recipe. */
export type OtherSteps = { before: readonly WrittenStep[]; after: readonly WrittenStep[] };

/** A tool and its settings; undefined settings: a batch was found again whose settings were not kept. */
export type ToolSettings = {
  tool: OperationName;
  settings: Settings[OperationName] | undefined;
  others?: OtherSteps | undefined;
  /** Undefined: all pictures go by the settings. */
  own?: OwnOptions | undefined;
};

/** One of a batch's jobs: pictures with the same options, in the order of the job's files. */
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
export type Run = ToolSettings & {
  ids: readonly PictureId[];
  recalledIds: readonly PictureId[];
} /** Pictures with options of their own go out after the others: the first jobs may be at work by then. */ & (
    | { phase: "sending"; jobs: readonly RunJob[]; sentBytes: number; totalBytes: number; delay: string | undefined }
    | { phase: "working"; jobs: readonly RunJob[]; link: Link; position: number | undefined }
    /** The server is finished; results are being brought over. */
    | { phase: "delivering"; jobs: readonly RunJob[]; link: Link }
    /** `charged`: credits, as far as the server has told; `problem`: of saving the results. */
    | {
        phase: "ended";
        ending: "done" | "cancelled" | "failed";
        charged: number | undefined;
        problem: string | undefined;
      }
  );

/** A next step that a message offers. */
export type Remedy =
  | { kind: "factor"; factor: 2 | 4 | 8 }
  /** Sends only the pictures that can go, at most `count` of them. */
  | { kind: "send"; count: number; label: string }
  | { kind: "sign-up"; label: string }
  | { kind: "link"; to: string; label: string };

/** The reason that a submit cannot go out, and the field to correct. */
export type Obstacle = {
  /** A field of the tool's form, the pictures, or the service. */
  field: "pictures" | "service" | (string & {});
  sentence: string;
  remedies?: readonly Remedy[];
  /** By which the operator finds the failure in the log. */
  reference?: string | undefined;
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
  run: Run | undefined;
};

/** A result that this browser keeps. */
export type RecentResult = {
  key: string;
  tool: OperationName;
  name: string;
  sides: Sides;
  sizeBytes: number;
  sourceBytes: number;
  keptAtMs: number;
  isSaved: boolean;
};

export type StudioState = {
  tool: OperationName;
  settings: Settings;
  /** Undefined: the tool's own step is all there is. */
  others: OtherSteps | undefined;
  own: OwnOptions;
  /** Why the source format is not filled in. */
  detection: string | undefined;
  pictures: readonly Picture[];
  selectedId: PictureId | undefined;
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
  /** As the running or latest job told them; of no more use once the allowance was asked for again. */
  credits: Credits | undefined;
  /** For the screen reader's live region: the latest few. */
  announcements: readonly Announcement[];
};

export const initialState: StudioState = {
  tool: "compress",
  settings: defaultSettings,
  others: undefined,
  own: noOwn,
  detection: undefined,
  pictures: [],
  selectedId: undefined,
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
  credits: undefined,
  announcements: [],
};

export const isRunning = ({ run }: StudioState): boolean => run !== undefined && run.phase !== "ended";

/** The tier whose limits hold: as the server told, or as the table says of the known session; undefined until then. */
export function limitsOf({
  allowance,
  caller,
}: Pick<StudioState, "allowance" | "caller">): Pick<Allowance, "tier" | "limits"> | undefined {
  if (allowance) return allowance;
  return caller && { tier: caller.tier, limits: limits[caller.tier] };
}

/** Whether the run worked with the present tool, settings and steps. */
export const isRunOf = (run: ToolSettings, { tool, settings, others, own }: StudioState): boolean =>
  run.tool === tool && run.others === others && run.settings === settings[tool] && (run.own ?? noOwn) === own;
