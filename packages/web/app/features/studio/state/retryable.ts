import { errors, isErrorCode } from "@tintype/contract";
import type { Picture } from "./picture.ts";
import type { StudioState } from "./studio-state.ts";

// Separate from the state machine, so that the error catalogue is loaded only after a failure.

/** Pictures of the latest run that may succeed if sent again unchanged. */
export function retryable({ run, pictures }: Pick<StudioState, "run" | "pictures">): readonly Picture[] {
  return pictures.filter((picture) => run?.orders.has(picture.id) && run.ids.includes(picture.id) && canRetry(picture));
}

/** Whether the picture was cancelled, or failed with a retryable or unknown error. */
function canRetry({ outcome, file }: Picture): boolean {
  if (file === undefined) return false;
  if (outcome.kind === "cancelled") return !outcome.isDiscarded;
  if (outcome.kind !== "failed") return false;
  return outcome.code === undefined || !isErrorCode(outcome.code) || errors[outcome.code].retryable;
}
