import type { Rectangle } from "../../raster/raster.ts";
import type { Disposal } from "./document.ts";
import { createBounds, emptyRectangle, isEmpty, unite } from "./rectangle.ts";

export type DisposalPlan = {
  disposal: Disposal;
  /** The area that the frame's rectangle must contain, for clearing it to clear enough. */
  mustHold: Rectangle;
};

/** Around a frame that is being written: packed canvases of one size (see `packColour`). */
export type DisposalSituation = {
  canvasWidth: number;
  /** The canvas before the frame is drawn. */
  base: Uint32Array;
  /** The frame's colours. */
  target: Uint32Array;
  /** The next frame's colours. */
  next: Uint32Array;
  /** The area in which target and base may differ. */
  drawn: Rectangle;
  /** The area in which next and target may differ. */
  dirty: Rectangle;
  /** The frame may be one that vanishes again: going back to `base` is then worth a trial. */
  isTemporary: boolean;
};

/**
 * Chooses a frame's disposal by the next frame: keep it, unless pixels must turn transparent or the source itself
 * restored the canvas; then the disposal that leaves fewest pixels to draw.
 */
export function planDisposal(situation: DisposalSituation): DisposalPlan {
  const { canvasWidth, base, target, next, drawn, dirty, isTemporary } = situation;
  const keep: DisposalPlan = { disposal: "keep", mustHold: emptyRectangle };
  const area = unite(drawn, dirty);
  let changed = 0;
  let changedFromBase = 0;
  let canRestore = true;
  const vanishing = createBounds();
  for (let y = area.top; y < area.top + area.height; y++)
    for (let x = area.left, at = y * canvasWidth + x; x < area.left + area.width; x++, at++) {
      const wanted = next[at] as number;
      if (wanted !== target[at]) {
        changed++;
        if (wanted === 0) vanishing.add(x, y);
      }
      if (wanted !== base[at]) {
        changedFromBase++;
        if (wanted === 0) canRestore = false;
      }
    }
  const cleared = vanishing.rectangle();
  const canKeep = isEmpty(cleared);
  if (canKeep && (!isTemporary || changed <= changedFromBase)) return keep;
  if (canRestore && (canKeep || changedFromBase <= countAfterClearing(situation, unite(cleared, drawn))))
    return changedFromBase < changed || !canKeep ? { disposal: "restore", mustHold: emptyRectangle } : keep;
  return canKeep ? keep : { disposal: "clear", mustHold: cleared };
}

/** Pixels to be drawn if `rectangle` were cleared. */
function countAfterClearing({ canvasWidth, target, next, dirty }: DisposalSituation, rectangle: Rectangle): number {
  const area = unite(rectangle, dirty);
  const right = rectangle.left + rectangle.width;
  const bottom = rectangle.top + rectangle.height;
  let count = 0;
  for (let y = area.top; y < area.top + area.height; y++) {
    const isInRows = y >= rectangle.top && y < bottom;
    for (let x = area.left, at = y * canvasWidth + x; x < area.left + area.width; x++, at++) {
      const before = isInRows && x >= rectangle.left && x < right ? 0 : target[at];
      if (next[at] !== before) count++;
    }
  }
  return count;
}
