import type { DomainError, InputFormat, RecipeStep } from "@tintype/contract";
import type { PictureFacts, Progress, ResultFacts } from "@tintype/imaging";

/** The steps to run on each file, with parsed options. */
export type Work = {
  steps: readonly [RecipeStep, ...RecipeStep[]];
  /** The auxiliary files of a single operation, by the names of its fields. */
  auxiliaryPaths?: Readonly<Record<string, string>>;
};

export type BackendRun = {
  /** `path` holds the picture's bytes; `name` is its own name. */
  picture: { path: string; name: string; sizeBytes: number };
  work: Work;
  /** Where to write the result. */
  resultPath: string;
  /** The same for every attempt at the same file, so a server charges it once. */
  idempotencyKey: string;
  signal: AbortSignal;
  progress(progress: Progress): void;
};

/** Several pictures in one call, each with the path of its result. */
export type BatchRun = Omit<BackendRun, "picture" | "resultPath"> & {
  pictures: readonly (BackendRun["picture"] & { resultPath: string })[];
};

/** A backend that accepts several pictures in one call. */
export type Batches = {
  /** How many pictures one call may have; 1 if each is sent alone. */
  maxFiles(work: Work): Promise<number>;
  /**
   * The outcome of each picture, in order; an error concerns one picture, which was not charged.
   * @throws DomainError if the call is refused as a whole, or the signal's reason
   */
  run(run: BatchRun): Promise<readonly (FileResult | DomainError)[]>;
};

export type FileResult = {
  source: Pick<PictureFacts, "format" | "sizeBytes">;
  result: ResultFacts;
  notes: readonly string[];
  confidence?: number | undefined;
  /** For compress, on request: the SSIMULACRA 2.1 score against the original. */
  likeness?: number | undefined;
  /** Credits charged for this call. */
  credits: number;
};

export type Quote = {
  credits: number;
  creditsPerFile: number;
  /** Undefined where credits are not counted. */
  remainingAfter?: number;
  refusals: readonly { index: number | null; code: string; detail: string }[];
  losses: readonly { index: number | null; detail: string }[];
};

export type NamedRecipe = { name: string; about?: string | undefined; steps: Work["steps"] };

/** Where pictures are processed: this computer (`openOffline`), or a server (`openServer`). Both report a refusal as a DomainError. */
export type Backend = {
  kind: "offline" | "server";
  /** The sentence that says where pictures are sent. */
  locationNote: string;
  /** Within one version, the same bytes and work give the same result. */
  version(): Promise<string>;
  /** @throws DomainError, or the signal's reason */
  run(run: BackendRun): Promise<FileResult>;
  /** Undefined where calls are free, as on this computer. */
  batches?: Batches;
  quote(work: Work, files: readonly FileFacts[]): Promise<Quote>;
  /** Recipes that can be run by name. */
  recipes(): Promise<readonly NamedRecipe[]>;
  close(): Promise<void>;
};

/** The server does not answer, or the connection is down, for longer than is worth waiting. */
export class NetworkLost extends Error {
  override readonly name = "NetworkLost";
}

/** The facts of a picture that was inspected but not processed. */
export type Facts = {
  format: InputFormat;
  width: number;
  height: number;
  sizeBytes: number;
  frames: number;
  /** Its format and its pixels have an alpha channel, opaque or not. */
  hasAlpha: boolean;
};

/** The facts of a picture in the form that a quote takes. */
export type FileFacts = {
  width: number;
  height: number;
  size_bytes: number;
  format: string;
  frames?: number;
  /** Of its bytes, hexadecimal: a further step on a result of the caller may be free. */
  sha256?: string;
};
