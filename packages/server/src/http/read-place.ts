import { DomainError } from "@tintype/contract";

/** PostgreSQL reads no date of ours beyond the year 9999. */
const lastMs = Date.UTC(9999, 11, 31);

/** Where a page of a list begins that is sorted by time and id: `before`, as an earlier answer's `next` gave it. @throws invalid-request */
export function readPlace(place: string): { at: Date; id: string } {
  const [, ms, id] = /^(\d{1,15})[.]([\w:. -]{1,200})$/.exec(place) ?? [];
  if (!ms || !id || Number(ms) > lastMs)
    throw new DomainError("invalid-request", {
      field: "before",
      detail: "before: take the `next` of an earlier answer.",
    });
  return { at: new Date(Number(ms)), id };
}
