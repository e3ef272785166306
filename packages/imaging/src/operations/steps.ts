import { DomainError, errors, type InputFormat } from "@tintype/contract";
import { withoutKeptParts } from "../formats/parts.ts";
import { joinMetadataNotes } from "../metadata/note.ts";
import type { EngineTask, Outcome } from "../task.ts";

/** Prefixes a refusal with its step, if there are several. */
export function nameStep(
  problem: unknown,
  { place, operation, steps }: { place: number; operation: EngineTask; steps: number },
): unknown {
  const isRefusal = problem instanceof DomainError && !errors[problem.code].retryable && problem.code !== "cancelled";
  if (steps < 2 || !isRefusal) return problem;
  const { code, reason, smallestBytes, cause } = problem;
  return new DomainError(code, { reason: { code: "step-failed", place, operation, reason }, smallestBytes, cause });
}

/** The format that a step's result stands for, if it is a stand-in. */
export const standInOf = (outcome: Outcome): InputFormat | undefined =>
  outcome.kind === "done" && outcome.isStandIn && outcome.result.format !== "zip" ? outcome.result.format : undefined;

/**
 * Merges two steps: the source of the first, the result of the last that wrote something. The likeness is that of the
 * last step: what a later step changes was not measured.
 */
export function addStep(sum: Outcome, next: Outcome): Outcome {
  const notes = joinMetadataNotes(withoutKeptParts(sum.notes), next.notes);
  // The file was rewritten without the data after its picture.
  if (next.kind === "unchanged")
    // has the kind of `sum`
    return { ...sum, result: { ...sum.result, sizeBytes: next.result.sizeBytes }, notes } as Outcome;
  if (sum.kind === "unchanged") return { ...next, source: sum.source, notes };
  const { nothingSaved, likeness: _, ...work } = { ...sum, ...next };
  const isOriginal = sum.nothingSaved && next.nothingSaved;
  return {
    ...work,
    source: sum.source,
    notes,
    ...(isOriginal && nothingSaved ? { nothingSaved } : {}),
    ...(next.likeness === undefined ? {} : { likeness: next.likeness }),
  };
}
