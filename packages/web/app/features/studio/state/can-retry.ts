import { errors, isErrorCode } from "@tintype/contract";
import type { Picture } from "./picture.ts";

/** Whether sending it again, just as it is, can help: it was cancelled, or what went wrong can pass by itself. */
export function canRetry({ outcome, file }: Picture): boolean {
  if (file === undefined) return false;
  if (outcome.kind === "cancelled") return true;
  if (outcome.kind !== "failed") return false;
  return outcome.code === undefined || !isErrorCode(outcome.code) || errors[outcome.code].retryable;
}
