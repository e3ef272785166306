import type { PictureId } from "./picture.ts";

/** `only`: this one alone; `toggle`: in or out; `range`: all from the anchor to it, in the order they are shown. */
export type SelectionChange = "only" | "toggle" | "range";

type Selecting = {
  selection: ReadonlySet<PictureId>;
  /** As they are shown. */
  order: readonly PictureId[];
  /** Where a range begins: the one that was selected last without one. */
  anchor: PictureId | undefined;
};

/** The selection after one picture was taken by pointer or key. */
export function selectionAfter(
  { selection, order, anchor }: Selecting,
  { id, change }: { id: PictureId; change: SelectionChange },
): ReadonlySet<PictureId> {
  if (change === "only") return new Set([id]);
  if (change === "toggle") {
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    return next;
  }
  const to = order.indexOf(id);
  const begun = anchor === undefined ? -1 : order.indexOf(anchor);
  const from = begun < 0 ? to : begun; // the anchor may be gone
  return new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1));
}
