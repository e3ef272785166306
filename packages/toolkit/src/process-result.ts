import type { Progress } from "@tintype/imaging";
import type { FileResult } from "./backend.ts";

export type ProcessResult =
  | ({ kind: "done"; bytes: Uint8Array; isCached: boolean } & FileResult)
  /** The picture is itself a result of this work. */
  | { kind: "unchanged"; reason: string; isCached: boolean };

export type Picture = { name: string; bytes: Uint8Array };

export type WorkOptions = { signal: AbortSignal; progress?: ((progress: Progress) => void) | undefined };
