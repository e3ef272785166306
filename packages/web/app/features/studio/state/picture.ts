import { formats, type InputFormat } from "@tintype/contract";
import type { Frame, Sides } from "./frame.ts";
import type { Ground, Settings } from "./settings.ts";

export type PictureId = string & { readonly brand: "PictureId" };

/**
 * A picture's preview. `url` is the full image and `thumbUrl` the thumbnail; both are object URLs of this page.
 * `thumb` holds the thumbnail's bytes.
 */
export type Preview =
  | { kind: "pending" }
  | { kind: "shown"; url: string; thumbUrl: string; thumb?: Blob | undefined }
  | { kind: "none" };

export type Result = {
  blob: Blob;
  name: string;
  format: InputFormat;
  /** See `Picture`. */
  isAnimated?: boolean | undefined;
  sides: Sides;
  sizeBytes: number;
  preview: Preview;
  isSaved: boolean;
  /** The key of the work that made it (`workKey`); undefined if the original is not on this page. */
  key: string | undefined;
  /** The browser stores a copy that outlives the page. */
  isCached: boolean;
  /** The job's file, for a result downloaded from the server during this visit. */
  job?: { id: string; index: number };
  /** How a cut-out was edited, for the next edit. `editedMattes`: the alpha of the whole cut-out by candidate, for those changed with a brush. */
  edit?: { settings: EditSettings; editedMattes: EditedMattes };
};

type NewResult = Pick<Result, "blob" | "name" | "format" | "sides" | "key"> & Partial<Result>;

/** A result whose preview is still to be drawn, unsaved unless it says otherwise. */
export const newResult = (made: NewResult): Result => ({
  sizeBytes: made.blob.size,
  preview: { kind: "pending" },
  isSaved: false,
  isCached: false,
  ...made,
});

/** Alpha of the whole cut-out, 0 to 255, one byte per pixel. */
export type Matte = { width: number; height: number; values: Uint8Array };

export type EditedMattes = ReadonlyMap<number, Matte>;

/** The user's edits of a finished cut-out. Values of the grounds that are not chosen are kept. */
export type EditSettings = {
  /** Which of the cut-out's candidates, 1-based. */
  candidate: number;
  ground: Ground | "blur";
  colour: string;
  picture: File | undefined;
  /** 1 to 100 */
  blur: number;
  /** 0 to 100 */
  shadow: number;
  isCropped: boolean;
  /** In percent of the subject's longer side. */
  margin: number;
};

/** The engine's notes on a result. All other fields are set only for cut-outs. */
export type Remarks = {
  notes: readonly string[];
  /** 0..1 */
  confidence: number | undefined;
  /** The confidence of each candidate that the server keeps, if there are several. */
  candidates?: readonly number[] | undefined;
  /** A large part of a person may be missing. */
  isIncomplete?: boolean | undefined;
};

/**
 * A finished cut-out that may lack a part of a person. The page has only its thumbnails: until the user keeps it, it can be discarded
 * for a refund of its credit.
 */
export type HeldResult = {
  job: NonNullable<Result["job"]>;
  name: string;
  format: InputFormat;
  sides: Sides;
  key: string | undefined;
  /** Thumbnails of all candidates, stacked vertically in one image. */
  thumbsUrl: string;
  /** When it is kept automatically, before the server deletes it. */
  keepAtMs: number;
  /** The user's decision while its request is pending. */
  pendingDecision?: "keep" | "discard";
};

/** A picture's state in its latest run. */
export type Outcome =
  | { kind: "none" }
  | { kind: "uploading"; share: number }
  | { kind: "waiting" }
  | { kind: "working"; progress: number; stage: string | undefined }
  /** Done on the server and being downloaded. */
  | ({ kind: "fetching" } & Remarks)
  | ({ kind: "done"; result: Result } & Remarks)
  | ({ kind: "held"; held: HeldResult } & Remarks)
  | { kind: "unchanged"; reason: string }
  /** `smallestBytes`: the target size was too small; this many bytes can be reached. */
  | { kind: "failed"; reason: string; code: string | undefined; smallestBytes?: number | undefined }
  /** `isDiscarded`: it was finished, then discarded for a refund of its credit. */
  | { kind: "cancelled"; isDiscarded?: boolean };

export type Picture = {
  id: PictureId;
  name: string;
  sizeBytes: number;
  /** Undefined before a download by URL ends, or in a batch found after a reload whose original was not stored. */
  file: File | undefined;
  /** URL of a picture that the server fetches. Its file and size are set when the download ends. */
  address?: string;
  /** Detected from the first bytes; undefined until they are read or if they match no format. */
  format: InputFormat | undefined;
  /** Has several frames, according to its header. */
  isAnimated?: boolean | undefined;
  /** Why no tool can process it, as a sentence: from the server, or of a failed download. */
  fault: string | undefined;
  preview: Preview;
  /** From the header, the browser or the engine; undefined until known. */
  sides: Sides | undefined;
  /** Its crop and rotation. */
  frame?: Frame | undefined;
  /** Its custom options by tool, which replace the form's. */
  customOptions?: Partial<Settings> | undefined;
  outcome: Outcome;
  /** If this picture is a result that the next tool processes: the picture that it was made from, as it was then. */
  original?: Picture | undefined;
};

export const isBusy = ({ outcome: { kind } }: Picture): boolean =>
  kind === "uploading" || kind === "waiting" || kind === "working" || kind === "fetching";

/** Whether the format can have an alpha channel. An unknown format may. */
export const holdsAlpha = (format: InputFormat | undefined): boolean => !format || formats[format].holds.alpha;

/** A rasterised vector drawing, for which sizes in bytes before and after are not comparable. */
export const isDrawn = ({ format, outcome }: Pick<Picture, "format" | "outcome">): boolean =>
  format === "svg" && outcome.kind === "done" && outcome.result.format !== "svg";
