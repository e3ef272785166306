import type { PictureFacts, Progress, ResultFacts } from "@tintype/imaging";

export type Worked =
  | {
      kind: "done";
      bytes: Uint8Array;
      source: Pick<PictureFacts, "format" | "sizeBytes">;
      result: ResultFacts;
      notes: readonly string[];
      confidence?: number | undefined;
      /** Of compress, where it was asked for: the SSIMULACRA 2.1 score beside the original. */
      likeness?: number | undefined;
      credits: number;
      isCached: boolean;
    }
  /** The picture is a result of this very work. */
  | { kind: "unchanged"; reason: string; isCached: boolean };

export type Picture = { name: string; bytes: Uint8Array };

export type Working = { signal: AbortSignal; progress?: ((progress: Progress) => void) | undefined };
