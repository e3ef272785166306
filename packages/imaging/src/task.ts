import type { DomainError, InputFormat, TaskName } from "@tintype/contract";

/** The work for one engine process on one file. Pictures travel by path, never through the message. */
export type Task = {
  name: TaskName;
  /** As parsed by the contract's `taskOptions[name]`. */
  options: unknown;
  inputPath: string;
  /** The path of the result; the outcome names its format. */
  outputPath: string;
  /** A second picture that an option names: the background of a cut-out. */
  backgroundPath?: string;
  limits: PictureLimits;
};

/** The limits of the caller's plan, in megapixels (millions). Checked on the header, before a pixel is decoded. */
export type PictureLimits = {
  megapixelsIn: number;
  megapixelsOut: number;
  /** Set by the engine for its second try at a JPEG that breaks rules without missing anything. */
  toleratesHarmlessWarnings?: true;
};

export type PictureFacts = { format: InputFormat; width: number; height: number; sizeBytes: number };

/** `unchanged`: nothing was written and nothing is owed (source and target are one); `reason` is for people. */
export type Outcome =
  | { kind: "done"; source: PictureFacts; result: PictureFacts; notes: string[]; confidence?: number }
  | { kind: "unchanged"; source: PictureFacts; reason: string };

/** 0..1, and the name of a stage that takes long ("Loading the model"). */
export type Progress = { fraction: number; stage?: string };

export type RunContext = { signal: AbortSignal; progress(report: Progress): void };

/** Between main process and engine process. `id` is unique in a process's lifetime. */
export type ToEngine = { type: "run"; id: number; task: Task } | { type: "cancel"; id: number };
export type FromEngine =
  | { type: "ready" }
  /** A message for the operator. */
  | { type: "said"; line: string }
  | { type: "progress"; id: number; progress: Progress }
  | { type: "done"; id: number; outcome: Outcome }
  | { type: "refused"; id: number; code: DomainError["code"]; detail: string; cause?: string }
  | { type: "failed"; id: number; message: string };
