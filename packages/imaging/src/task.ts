import type {
  DomainError,
  InputFormat,
  MetadataChoice,
  Note,
  Reason,
  ResultFormat,
  Stage,
  TaskName,
} from "@tintype/contract";

/** The tasks of the contract, and one that no caller can request: marking the results of test keys. */
export type EngineTask = TaskName | "test-mark";

/** The work for one engine process on one file. Pictures are passed by path, never in the message. */
export type Task = {
  name: EngineTask;
  /** As parsed by the contract's `taskOptions[name]`. */
  options: unknown;
  inputPath: string;
  /** The picture's original name, from which a web set derives its file names. */
  pictureName?: string;
  /** The path of the result; the outcome states its format. */
  outputPath: string;
  /**
   * Files beside the picture, by their roles: those of the manifest and, for an edit, `original`, which the cut-out was
   * made from, and `candidates`, the mattes that it stored.
   */
  auxiliaryPaths?: Readonly<Record<string, string>>;
  /** For a PDF: the page of the original that the cut-out shows. */
  originalPage?: number;
  /** The path for the whole cut-out, if the result is something else; `hasKept` is then set. */
  keptPath?: string;
  /**
   * The paths for the mattes of a cut-out's other candidates, and for their thumbnails in one picture. They exist if
   * the outcome has `candidates`.
   */
  candidatePaths?: { mattes: string; sheet: string };
  /** For a PDF, from 1: the page of a pipeline of several steps; for a single step, its own option applies. */
  page?: number;
  limits: PictureLimits;
  /** Another step follows: if possible, the operation writes its result losslessly, as a stand-in. */
  isIntermediate?: boolean;
  /** A stand-in is written uncompressed, because it is read only once, immediately. */
  isUrgent?: boolean;
  /** The format that the input stands for, if the previous step wrote a stand-in. */
  standsFor?: InputFormat;
  /** The metadata choice of a pipeline of several steps; for a single step, its own option applies. */
  metadata?: MetadataChoice;
};

/** The limits of the caller's plan, in megapixels (millions). Checked on the header, before a pixel is decoded. */
export type PictureLimits = {
  megapixelsIn: number;
  megapixelsOut: number;
  /** Set by the engine for the second attempt at a JPEG with harmless warnings. */
  toleratesHarmlessWarnings?: true;
  /** Set by the engine: receives the megapixels of all frames of the opened picture. */
  reportMegapixels?: (megapixels: number) => void;
};

export type PictureFacts = { format: InputFormat; width: number; height: number; sizeBytes: number };

/** For a ZIP, the dimensions are those of its largest picture. */
export type ResultFacts = Omit<PictureFacts, "format"> & { format: ResultFormat };

/** For a preview: the region of the shown part, and an estimate of the whole result; `quality` if max_bytes determines it. */
export type Estimate = {
  left: number;
  top: number;
  width: number;
  height: number;
  sizeBytes: number;
  quality?: number;
};

/** For a preview of a part: the region of the source that it shows, px, the source's size, and for a document its page, from 1. */
export type SourceRegion = {
  left: number;
  top: number;
  width: number;
  height: number;
  picture: { width: number; height: number };
  page?: number;
};

/**
 * `unchanged`: no charge, because source and target are the same; the picture was written as received, without its
 * metadata, and `reason` says so. `isStandIn`: the file holds the result's pixels losslessly, for the next step,
 * in another format than the result's.
 */
export type Outcome =
  | {
      kind: "done";
      source: PictureFacts;
      result: ResultFacts & { estimate?: Estimate };
      notes: Note[];
      sourceRegion?: SourceRegion;
      confidence?: number;
      /** If a cut-out has several candidates: the confidence of each; the first one is shown. */
      candidates?: number[];
      /** For a cut-out: a large part of a person may be missing. */
      incomplete?: true;
      /** The whole cut-out is at the task's `keptPath`; otherwise the result is the whole cut-out. */
      hasKept?: boolean;
      isStandIn?: boolean;
      /** For compress: no encoding saved enough, and the original was returned without its metadata. */
      nothingSaved?: true;
      /** For compress, if requested and measurable: the SSIMULACRA 2.1 score against the original, at most 100. */
      likeness?: number;
    }
  | { kind: "unchanged"; source: PictureFacts; result: PictureFacts; notes: Note[]; reason: Reason };

/** 0..1, and a stage that takes long. */
export type Progress = { fraction: number; stage?: Stage };

export type RunContext = {
  signal: AbortSignal;
  progress(report: Progress): void;
  /** Receives the megapixels of all frames once the header is read. */
  reportMegapixels?: (megapixels: number) => void;
};

/** Messages between the main process and an engine process. `id` is unique during a process's lifetime. */
export type ToEngine = { type: "run"; id: number; task: Task } | { type: "cancel"; id: number };
export type FromEngine =
  | { type: "ready" }
  /** A message for the operator. */
  | { type: "log"; line: string }
  | { type: "progress"; id: number; progress: Progress }
  /** The megapixels of all frames, once the header is read. */
  | { type: "size"; id: number; megapixels: number }
  | { type: "done"; id: number; outcome: Outcome }
  | { type: "refused"; id: number; code: DomainError["code"]; reason: Reason; smallestBytes?: number; cause?: string }
  | { type: "failed"; id: number; message: string };
