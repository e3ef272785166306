import type { Rectangle } from "../../raster/raster.ts";
import { createBounds, emptyRectangle, isEmpty, unite } from "../../raster/rectangle.ts";
import type { Disposal } from "../document.ts";

export type DisposalPlan = {
  disposal: Disposal;
  /** The frame's rectangle must contain this area, so that "clear" clears all pixels that become transparent. */
  mustHold: Rectangle;
};

/** The canvases around a frame that is being written, of packed colours (see `packColour`). */
export type DisposalSituation = {
  canvasWidth: number;
  /** The canvas before the frame is drawn. */
  base: Uint32Array;
  /** The canvas that the frame shows. */
  target: Uint32Array;
  /** The canvas that the next frame shows. */
  next: Uint32Array;
  /** The area in which target and base may differ. */
  drawn: Rectangle;
  /** The area in which next and target may differ. */
  dirty: Rectangle;
  /** The source disposes of the frame: "restore" is then worth a trial. */
  isTemporary: boolean;
};

/**
 * Chooses a frame's disposal method (GIF89a, 23) by the next frame: "keep", unless pixels must become transparent or
 * the source disposes of the frame; then the method that leaves the fewest pixels to draw.
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

/** Pixels that the next frame must draw if `rectangle` is cleared. */
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
