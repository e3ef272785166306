import { errors, isErrorCode } from "@tintype/contract";
import type { Picture } from "./picture.ts";
import type { StudioState } from "./studio-state.ts";

// Apart from the machine: the catalogue of errors is loaded when there is a failure.

/** Pictures of the latest run that sending again, as they are, can help. */
export function retryable({ run, pictures }: Pick<StudioState, "run" | "pictures">): readonly Picture[] {
  return pictures.filter((picture) => run?.orders.has(picture.id) && run.ids.includes(picture.id) && canRetry(picture));
}

/** It was cancelled, or what went wrong can pass by itself. */
function canRetry({ outcome, file }: Picture): boolean {
  if (file === undefined) return false;
  if (outcome.kind === "cancelled") return !outcome.isDiscarded;
  if (outcome.kind !== "failed") return false;
  return outcome.code === undefined || !isErrorCode(outcome.code) || errors[outcome.code].retryable;
}
