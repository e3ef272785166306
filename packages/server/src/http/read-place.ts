import { DomainError } from "@tintype/contract";

/** We accept no date after the year 9999. */
const lastMs = Date.UTC(9999, 11, 31);

/** Parses the cursor of a list sorted by time and id: `before`, from an earlier response's `next`. @throws invalid-request */
export function readPlace(place: string): { at: Date; id: string } {
  const [, ms, id] = /^(\d{1,15})[.]([\w:. -]{1,200})$/.exec(place) ?? [];
  if (!ms || !id || Number(ms) > lastMs)
    throw new DomainError("invalid-request", {
      field: "before",
      detail: "before: take the `next` of an earlier answer.",
    });
  return { at: new Date(Number(ms)), id };
}
