import type { DomainError, InputFormat, MetadataChoice, ResultFormat, TaskName } from "@tintype/contract";

/** Tasks of the contract, and what no caller asks for: marking the results of test keys. */
export type EngineTask = TaskName | "test-mark";

/** The work for one engine process on one file. Pictures travel by path, never through the message. */
export type Task = {
  name: EngineTask;
  /** As parsed by the contract's `taskOptions[name]`. */
  options: unknown;
  inputPath: string;
  /** The picture's own name, by which a web set names its files. */
  pictureName?: string;
  /** The path of the result; the outcome names its format. */
  outputPath: string;
  /** A second picture that an option names: the background of a cut-out. */
  backgroundPath?: string;
  /** Of an edit: the picture that the cut-out was made of, and a mended matte of its size. */
  originalPath?: string;
  mattePath?: string;
  /** The path for the whole cut-out besides the result, if the result is something else; `hasKept` is then set. */
  keptPath?: string;
  /**
   * The paths for what a cut-out's other candidates are made of, and for their thumbnails in one picture; the outcome's `candidates`
   * tells whether they are there.
   */
  candidatePaths?: { mattes: string; sheet: string };
  /** Of an edit: the mattes that a cut-out left there. */
  candidatesPath?: string;
  limits: PictureLimits;
  /** Another step follows: where it can, the operation writes its result without loss, as a stand-in. */
  isIntermediate?: boolean;
  /** A stand-in is written without compression: it is read once, at once. */
  isUrgent?: boolean;
  /** The format that the input stands for, where the step before wrote a stand-in. */
  standsFor?: InputFormat;
  /** What all steps together keep of the metadata, where there are several; else the option of this name counts. */
  metadata?: MetadataChoice;
};

/** The limits of the caller's plan, in megapixels (millions). Checked on the header, before a pixel is decoded. */
export type PictureLimits = {
  megapixelsIn: number;
  megapixelsOut: number;
  /** Set by the engine for its second try at a JPEG that breaks rules without missing anything. */
  toleratesHarmlessWarnings?: true;
  /** Set by the engine: receives the megapixels of all frames of the opened picture. */
  reportMegapixels?: (megapixels: number) => void;
};

export type PictureFacts = { format: InputFormat; width: number; height: number; sizeBytes: number };

/** Of a ZIP the sides are those of its largest picture. */
export type ResultFacts = Omit<PictureFacts, "format"> & { format: ResultFormat };

/** Of a preview: the region of the shown part, and an estimate of the whole result; `quality` where max_bytes determines it. */
export type Estimate = {
  left: number;
  top: number;
  width: number;
  height: number;
  sizeBytes: number;
  quality?: number;
};

/**
 * `unchanged`: nothing is owed, since source and target are one; the picture was written as it came, without its metadata, and
 * `reason` is for people. `isStandIn`: the file holds the result's pixels without loss, in another format than the result's, for the
 * next step.
 */
export type Outcome =
  | {
      kind: "done";
      source: PictureFacts;
      result: ResultFacts & { estimate?: Estimate };
      notes: string[];
      confidence?: number;
      /** Where a cut-out has several, the certainty of each, as `confidence`; the first one is shown. */
      candidates?: number[];
      /** Of a cut-out: a large part of a person may be missing. */
      incomplete?: true;
      /** The whole cut-out is at the task's `keptPath`; else the result is the whole cut-out. */
      hasKept?: boolean;
      isStandIn?: boolean;
      /** Of compress: no coding was smaller enough, and the original came back without its metadata. */
      nothingSaved?: true;
      /** Of compress, where it was asked for and can be measured: the SSIMULACRA 2.1 score beside the original, 100 at most. */
      likeness?: number;
    }
  | { kind: "unchanged"; source: PictureFacts; result: PictureFacts; notes: string[]; reason: string };

/** 0..1, and the name of a stage that takes long ("Loading the model"). */
export type Progress = { fraction: number; stage?: string };

export type RunContext = {
  signal: AbortSignal;
  progress(report: Progress): void;
  /** Receives the megapixels of all frames once the header is read. */
  reportMegapixels?: (megapixels: number) => void;
};

/** Between main process and engine process. `id` is unique in a process's lifetime. */
export type ToEngine = { type: "run"; id: number; task: Task } | { type: "cancel"; id: number };
export type FromEngine =
  | { type: "ready" }
  /** A message for the operator. */
  | { type: "log"; line: string }
  | { type: "progress"; id: number; progress: Progress }
  /** Of all frames, once the header is read. */
  | { type: "size"; id: number; megapixels: number }
  | { type: "done"; id: number; outcome: Outcome }
  | { type: "refused"; id: number; code: DomainError["code"]; detail: string; smallestBytes?: number; cause?: string }
  | { type: "failed"; id: number; message: string };
