import { isBusy, type Picture } from "./picture.ts";

/** The groups by which a long list is looked through. */
export const resultGroups = [
  { value: "all", label: "All" },
  { value: "open", label: "Under way" },
  { value: "done", label: "Done" },
  { value: "rest", label: "Not done" },
] as const;
export type ResultGroup = (typeof resultGroups)[number]["value"];

/** `open` while it is worked on; `rest`: failed, cancelled, unchanged, or not sent. */
export function groupOf(picture: Picture): Exclude<ResultGroup, "all"> {
  if (isBusy(picture)) return "open";
  return picture.outcome.kind === "done" ? "done" : "rest";
}

export const inGroup = (pictures: readonly Picture[], group: ResultGroup): readonly Picture[] =>
  group === "all" ? pictures : pictures.filter((picture) => groupOf(picture) === group);
