import type { InputFormat } from "@tintype/contract";

export type PictureId = string & { readonly brand: "PictureId" };

/** px */
export type Sides = { widthPx: number; heightPx: number };

/** What the page can show of a picture. `url` is drawn large, `thumbUrl` small; both are object URLs of this page. */
export type Preview = { kind: "pending" } | { kind: "shown"; url: string; thumbUrl: string } | { kind: "none" };

export type Result = {
  blob: Blob;
  name: string;
  format: InputFormat;
  sides: Sides;
  sizeBytes: number;
  preview: Preview;
  isSaved: boolean;
};

/** What the engine has to say of its work; `confidence` (0..1) of a cut-out only. */
type Remarks = { notes: readonly string[]; confidence: number | undefined };

/** Where a picture stands in the latest run that it was in. */
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
  /** Missing when a batch was found again after the page was left: browsers do not hand files out twice. */
  file: File | undefined;
  preview: Preview;
  /** As the browser or the engine read them; missing until then. */
  sides: Sides | undefined;
  outcome: Outcome;
};

export const isBusy = ({ outcome: { kind } }: Picture): boolean =>
  kind === "uploading" || kind === "waiting" || kind === "working" || kind === "fetching";
