import type { DomainError, InputFormat, RecipeStep } from "@tintype/contract";
import type { PictureFacts, Progress, ResultFacts } from "@tintype/imaging";

/** The steps that are done to each file, with parsed options. */
export type Work = {
  steps: readonly [RecipeStep, ...RecipeStep[]];
  /** The second picture that an operation takes, such as the background of a cut-out. */
  secondPicturePath?: string | undefined;
};

export type BackendRun = {
  /** The picture's bytes lie at `path`; `name` is its own. */
  picture: { path: string; name: string; sizeBytes: number };
  work: Work;
  /** The result's place. */
  resultPath: string;
  /** The same for each try at the same file: a server charges for one of them. */
  idempotencyKey: string;
  signal: AbortSignal;
  progress(progress: Progress): void;
};

/** Several pictures in one call, each with its result's place. */
export type BatchRun = Omit<BackendRun, "picture" | "resultPath"> & {
  pictures: readonly (BackendRun["picture"] & { resultPath: string })[];
};

/** A place that takes several pictures in one call. */
export type Batches = {
  /** How many pictures may go in one call; 1 where each goes alone. */
  mostFiles(work: Work): Promise<number>;
  /**
   * The end of each picture, in their order; an error is that of one picture, which cost nothing.
   * @throws DomainError where the call is refused as a whole, or the signal's reason
   */
  run(run: BatchRun): Promise<readonly (Finished | DomainError)[]>;
};

export type Finished = {
  source: Pick<PictureFacts, "format" | "sizeBytes">;
  result: ResultFacts;
  notes: readonly string[];
  confidence?: number | undefined;
  /** Of compress, where it was asked for: the SSIMULACRA 2.1 score beside the original. */
  likeness?: number | undefined;
  /** Credits that this call took. */
  credits: number;
};

export type Quote = {
  credits: number;
  creditsPerFile: number;
  /** Undefined where nothing is counted. */
  remainingAfter?: number;
  refusals: readonly { index: number | null; code: string; detail: string }[];
  losses: readonly { index: number | null; detail: string }[];
};

export type NamedRecipe = { name: string; about?: string | undefined; steps: readonly RecipeStep[] };

/**
 * A place that works on pictures: this computer (`openOffline`), or a server (`openServer`). A refusal is a DomainError, from
 * either.
 */
export type Backend = {
  kind: "offline" | "server";
  /** The sentence that tells where pictures go. */
  whereabouts: string;
  /** Results of one version are the same for the same bytes and work. */
  version(): Promise<string>;
  /** @throws DomainError, or the signal's reason */
  run(run: BackendRun): Promise<Finished>;
  /** Undefined where a call costs nothing, as on this computer. */
  batches?: Batches;
  quote(work: Work, files: readonly SeenFile[]): Promise<Quote>;
  /** Recipes that can be run by name. */
  recipes(): Promise<readonly NamedRecipe[]>;
  close(): Promise<void>;
};

/** The server does not answer, or the way to it is cut, for longer than it is worth waiting. */
export class NetworkLost extends Error {
  override readonly name = "NetworkLost";
}

/** The facts of a picture that was only looked at. */
export type Facts = { format: InputFormat; width: number; height: number; sizeBytes: number; frames: number };

/** The facts of a picture as a quote takes them. */
export type SeenFile = { width: number; height: number; size_bytes: number; format: string; frames?: number };
