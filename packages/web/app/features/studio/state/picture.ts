import { formats, type InputFormat } from "@tintype/contract";
import type { EditSettings } from "../edit/edit-settings.ts";

export type PictureId = string & { readonly brand: "PictureId" };

/** px */
export type Sides = { widthPx: number; heightPx: number };

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
  /** A cut-out that was edited: how, for the next edit. `matte` is the whole cut-out's, mended. */
  edit?: { settings: EditSettings; matte: Uint8Array; isOpaque: boolean };
};

/** The engine's notes on its work; `confidence` (0..1) of a cut-out only. */
export type Remarks = { notes: readonly string[]; confidence: number | undefined };

/** The state of a picture in its latest run. */
export type Outcome =
  | { kind: "none" }
  | { kind: "uploading"; share: number }
  | { kind: "waiting" }
  | { kind: "working"; progress: number; stage: string | undefined }
  /** Done on the server, and on its way to this page. */
  | ({ kind: "fetching" } & Remarks)
  | ({ kind: "done"; result: Result } & Remarks)
  | { kind: "unchanged"; reason: string }
  | { kind: "failed"; reason: string; code: string | undefined }
  | { kind: "cancelled" };

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
  outcome: Outcome;
};

export const isBusy = ({ outcome: { kind } }: Picture): boolean =>
  kind === "uploading" || kind === "waiting" || kind === "working" || kind === "fetching";

/** Whether something can show through it; unknown formats may. */
export const holdsAlpha = (format: InputFormat | undefined): boolean => !format || formats[format].holds.alpha;
