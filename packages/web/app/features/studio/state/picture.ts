import { formats, type InputFormat } from "@tintype/contract";
import type { Frame, Sides } from "./frame.ts";
import type { Ground, Settings } from "./settings.ts";

export type PictureId = string & { readonly brand: "PictureId" };

/**
 * The drawable form of a picture. `url` is drawn large, `thumbUrl` small; both are object URLs of this page.
 * `thumb` is the small one's bytes.
 */
export type Preview =
  | { kind: "pending" }
  | { kind: "shown"; url: string; thumbUrl: string; thumb?: Blob | undefined }
  | { kind: "none" };

export type Result = {
  blob: Blob;
  name: string;
  format: InputFormat;
  sides: Sides;
  sizeBytes: number;
  preview: Preview;
  isSaved: boolean;
  /** Names the work that made it (`workKey`); undefined where the original is not on this page. */
  key: string | undefined;
  /** The browser holds a copy that outlives the page. */
  isKept: boolean;
  /** The job's file that it is, of a result that came from the server during this visit. */
  job?: { id: string; index: number };
  /** A cut-out that was edited: how, for the next edit. `mended`: by candidate, the whole cut-out's alpha, where a brush has changed it. */
  edit?: { settings: EditSettings; mended: Mended };
};

/** Alpha of the whole cut-out, 0 to 255, a byte a pixel. */
export type Matte = { width: number; height: number; values: Uint8Array };

export type Mended = ReadonlyMap<number, Matte>;

/** A person's changes of a finished cut-out. The values of other grounds stay while one is chosen. */
export type EditSettings = {
  /** Which of the cut-out's candidates, from 1. */
  candidate: number;
  ground: Ground | "blur";
  colour: string;
  picture: File | undefined;
  /** 1 to 100 */
  blur: number;
  /** 0 to 100 */
  shadow: number;
  isCropped: boolean;
  /** Percent of the subject's longer side. */
  margin: number;
};

/** The engine's notes on its work; the rest of a cut-out only. */
export type Remarks = {
  notes: readonly string[];
  /** 0..1 */
  confidence: number | undefined;
  /** The confidence of each way to cut it that the server keeps, where there are several. */
  candidates?: readonly number[] | undefined;
  /** A large part of a person may be missing. */
  isIncomplete?: boolean | undefined;
};

/**
 * A finished cut-out that may lack a part of a person. The page has its thumbnails alone: until the person keeps it, it can be discarded
 * for its credit.
 */
export type HeldResult = {
  job: NonNullable<Result["job"]>;
  name: string;
  format: InputFormat;
  sides: Sides;
  key: string | undefined;
  /** All candidates, one below the other. */
  thumbsUrl: string;
  /** It is kept by itself before the server deletes it. */
  keepAtMs: number;
  /** What the person has decided, while the server is asked. */
  doing?: "keep" | "discard";
};

/** The state of a picture in its latest run. */
export type Outcome =
  | { kind: "none" }
  | { kind: "uploading"; share: number }
  | { kind: "waiting" }
  | { kind: "working"; progress: number; stage: string | undefined }
  /** Done on the server, and on its way to this page. */
  | ({ kind: "fetching" } & Remarks)
  | ({ kind: "done"; result: Result } & Remarks)
  | ({ kind: "held"; held: HeldResult } & Remarks)
  | { kind: "unchanged"; reason: string }
  /** `smallestBytes`: a limit of bytes was too low, and so many would do. */
  | { kind: "failed"; reason: string; code: string | undefined; smallestBytes?: number | undefined }
  /** `isDiscarded`: it was done, and was given back for its credit. */
  | { kind: "cancelled"; isDiscarded?: boolean };

export type Picture = {
  id: PictureId;
  name: string;
  sizeBytes: number;
  /** Missing when a batch was found again and its original was not kept: browsers do not hand files out twice. */
  file: File | undefined;
  /** Of a picture that the server fetches; its file and its size come with it. */
  address?: string;
  /** By its first bytes; undefined until they are read, and where they name none. */
  format: InputFormat | undefined;
  /** Why no tool can work on it, in a sentence: its bytes say so, or the server has. */
  fault: string | undefined;
  preview: Preview;
  /** As the header, the browser or the engine gave them; missing until then. */
  sides: Sides | undefined;
  /** Its crop and turn. */
  frame?: Frame | undefined;
  /** Its own options in place of the form's, by tool. */
  own?: Partial<Settings> | undefined;
  outcome: Outcome;
  /** Where this picture is a result that the next tool works on: the picture that it was made of, as it then stood. */
  original?: Picture | undefined;
};

export const isBusy = ({ outcome: { kind } }: Picture): boolean =>
  kind === "uploading" || kind === "waiting" || kind === "working" || kind === "fetching";

/** Whether something can show through it; unknown formats may. */
export const holdsAlpha = (format: InputFormat | undefined): boolean => !format || formats[format].holds.alpha;

/** A vector drawing that became pixels: its bytes before and after do not compare. */
export const isDrawn = ({ format, outcome }: Pick<Picture, "format" | "outcome">): boolean =>
  format === "svg" && outcome.kind === "done" && outcome.result.format !== "svg";
