import { DomainError } from "@tintype/contract";
import { and, type Column, eq, lt, or, type SQL } from "drizzle-orm";

// Lists are read page by page, newest first: `before` of a request is the cursor `next` of an earlier response.

/** The error for a cursor that no response of ours contained. */
export const invalidCursor = (): DomainError =>
  new DomainError("invalid-request", { field: "before", detail: "before: take the `next` of an earlier answer." });

/** The cursor, if the request has one. @throws invalid-request unless it has this form */
export function readCursor(before: string | undefined, form: RegExp): string | undefined {
  if (before !== undefined && !form.test(before)) throw invalidCursor();
  return before;
}

/** A row of a list that is sorted by time and id. */
export type CursorPosition = { at: Date; id: string };

/** We accept no date after the year 9999. */
const lastMs = Date.UTC(9999, 11, 31);

/** Parses the cursor of a list sorted by time and id. @throws invalid-request */
export function readPlace(before: string | undefined): CursorPosition | undefined {
  if (before === undefined) return undefined;
  const [, ms, id] = /^(\d{1,15})[.]([\w:. -]{1,200})$/.exec(before) ?? [];
  if (!ms || !id || Number(ms) > lastMs) throw invalidCursor();
  return { at: new Date(Number(ms)), id };
}

export const writePlace = ({ at, id }: CursorPosition): string => `${at.getTime()}.${id}`;

/** SQL condition: the row comes after this place. True without one. */
export const isAfter = (place: CursorPosition | undefined, { at, id }: { at: Column; id: Column }): SQL | undefined =>
  place && or(lt(at, place.at), and(eq(at, place.at), lt(id, place.id)));

/** The page of this size out of rows that were read with a limit of one more, and the cursor of the next page. */
export function pageOf<Row>(
  rows: readonly Row[],
  { size, cursorOf }: { size: number; cursorOf(row: NoInfer<Row>): string },
): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { shown, next: last !== undefined && rows.length > size ? cursorOf(last) : null };
}
