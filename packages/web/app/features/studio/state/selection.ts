import type { PictureId } from "./picture.ts";

/** `only` selects just this picture, `toggle` adds or removes it, `range` selects from the anchor to it in display order. */
export type SelectionChange = "only" | "toggle" | "range";

type SelectionState = {
  selection: ReadonlySet<PictureId>;
  /** The display order. */
  order: readonly PictureId[];
  /** Start of a range: the picture last selected with `only` or `toggle`. */
  anchor: PictureId | undefined;
};

/** The selection after a click or key press on a picture. */
export function selectionAfter(
  { selection, order, anchor }: SelectionState,
  { id, change }: { id: PictureId; change: SelectionChange },
): ReadonlySet<PictureId> {
  if (change === "only") return new Set([id]);
  if (change === "toggle") {
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    return next;
  }
  const to = order.indexOf(id);
  const anchorIndex = anchor === undefined ? -1 : order.indexOf(anchor);
  const from = anchorIndex < 0 ? to : anchorIndex; // the anchor may be gone
  return new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1));
}
