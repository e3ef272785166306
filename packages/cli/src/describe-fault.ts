import { faultOf } from "@tintype/toolkit";
import { exitCodeOfFault } from "./exit-codes.ts";

/** A fault that ends the command, as a sentence and an exit code. */
export function describeFault(problem: unknown): { sentence: string; exitCode: number } {
  const { code, reason } = faultOf(problem);
  return { sentence: reason, exitCode: exitCodeOfFault(code) };
}
