import type { Credits, Limits, OperationName, TierName } from "@tintype/contract";
import type { Picture, PictureId } from "./picture.ts";
import { defaultSettings, type Settings } from "./settings.ts";

/** How well the page hears the server about a running job. */
export type Link = "live" | "reconnecting" | "offline" | "lost";

/** The batch that is under way or was the last one. `ids` are its pictures, in the order of the job's files. */
export type Run = { tool: OperationName; ids: readonly PictureId[]; settings: Settings[OperationName] | undefined } & (
  | { phase: "sending"; sentBytes: number; totalBytes: number; delay: string | undefined }
  | { phase: "working"; jobId: string; link: Link; position: number | undefined }
  /** The server is finished; results are being brought over. */
  | { phase: "delivering"; jobId: string; link: Link }
  | { phase: "ended"; ending: "done" | "cancelled" | "failed" }
);

/** What keeps a submit from going out, and the field to mend it in. */
export type Obstacle = {
  field: "pictures" | "quality" | "width" | "height" | "target" | "background" | "service";
  sentence: string;
};

type Announcement = { id: number; sentence: string };

/** Whose limits hold: the tier's name and its row of the table. */
export type Allowance = { tier: TierName; limits: Limits; usage: { used: number; limit: number } };

export type StudioState = {
  tool: OperationName;
  settings: Settings;
  pictures: readonly Picture[];
  selectedId: PictureId | undefined;
  allowance: Allowance | undefined;
  obstacle: Obstacle | undefined;
  /** Of files that were dropped and not taken in. */
  refusals: readonly string[];
  run: Run | undefined;
  /** As the running or latest job told them; of no more use once the allowance was asked for anew. */
  credits: Credits | undefined;
  /** For the screen reader's live region: the latest few. */
  announcements: readonly Announcement[];
};

export const initialState: StudioState = {
  tool: "compress",
  settings: defaultSettings,
  pictures: [],
  selectedId: undefined,
  allowance: undefined,
  obstacle: undefined,
  refusals: [],
  run: undefined,
  credits: undefined,
  announcements: [],
};

export const isRunning = ({ run }: StudioState): boolean => run !== undefined && run.phase !== "ended";
