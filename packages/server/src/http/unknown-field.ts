import { DomainError, unknownName } from "@tintype/contract";

const shownLetters = 60;

/** The refusal of a form's field that there is not. */
export function unknownField(name: string, known: readonly string[]): DomainError {
  const field = name.slice(0, shownLetters);
  return new DomainError("invalid-request", { field, detail: unknownName(field, known, "field") });
}
