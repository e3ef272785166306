import { DomainError, manifestOf, operationNames } from "@tintype/contract";
import { faultOf } from "@tintype/toolkit";
import { exitCodeOfFault } from "./exit-codes.ts";
import { flagOf } from "./operation-flags.ts";

/** An error that ends the command, as a sentence and an exit code. */
export function describeFault(problem: unknown): { sentence: string; exitCode: number } {
  const { code, reason } = faultOf(problem);
  return { sentence: reason + nameFlag(problem, reason), exitCode: exitCodeOfFault(code) };
}

/** The API's messages name fields as the site labels them. */
function nameFlag(problem: unknown, reason: string): string {
  const field = problem instanceof DomainError ? problem.field : undefined;
  if (field === undefined || !operationNames.some((name) => field in manifestOf(name).fields)) return "";
  const flag = `--${flagOf(field)}`;
  return reason.includes(flag) ? "" : ` (${flag})`;
}
