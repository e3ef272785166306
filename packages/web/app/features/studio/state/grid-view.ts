import { isDoubtful } from "./cut-out-remarks.ts";
import { isBusy, type Picture } from "./picture.ts";

/** The grid: whether it takes the stage, which pictures it shows, and in which order. */
export type GridView = { isOpen: boolean; group: ResultGroup; sort: GridSort; cellPx: number };

/** The filters of the grid. */
export const resultGroups = [
  { value: "all", label: "All" },
  { value: "open", label: "In progress" },
  { value: "done", label: "Done" },
  { value: "rest", label: "Needs attention" },
] as const;
export type ResultGroup = (typeof resultGroups)[number]["value"];

/** `open`: in progress; `rest`: failed, cancelled, held, not sent, or a cut-out to check. */
export function groupOf(picture: Picture): Exclude<ResultGroup, "all"> {
  if (isBusy(picture)) return "open";
  const { outcome } = picture;
  if (outcome.kind === "unchanged") return "done";
  return outcome.kind === "done" && !isDoubtful(outcome) ? "done" : "rest";
}

export const inGroup = (pictures: readonly Picture[], group: ResultGroup): readonly Picture[] =>
  group === "all" ? pictures : pictures.filter((picture) => groupOf(picture) === group);

/** Ways to sort the grid. Without a choice the order is that in which the pictures were added. */
export const gridSorts = [
  { value: "added", label: "As added" },
  { value: "attention", label: "Needs attention first" },
  { value: "size", label: "Largest first" },
] as const;
export type GridSort = (typeof gridSorts)[number]["value"];

/** What failed or waits for a decision first, then incomplete cut-outs, then by rising confidence. */
function certaintyOf({ outcome }: Picture): number {
  if (outcome.kind === "failed") return -3;
  if (outcome.kind === "held") return -2;
  return outcome.kind === "done" ? (outcome.confidence ?? 1) - (outcome.isIncomplete ? 1 : 0) : 2;
}

const bytesOf = ({ sizeBytes, outcome }: Picture): number =>
  outcome.kind === "done" ? outcome.result.sizeBytes : sizeBytes;

export function sortedBy(sort: GridSort, pictures: readonly Picture[]): readonly Picture[] {
  if (sort === "added") return pictures;
  return pictures.toSorted((one, other) =>
    sort === "size" ? bytesOf(other) - bytesOf(one) : certaintyOf(one) - certaintyOf(other),
  );
}
