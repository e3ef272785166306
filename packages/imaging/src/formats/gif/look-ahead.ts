import type { Rectangle } from "../../raster/raster.ts";
import { type Animation, canJoin } from "./animation.ts";
import { copyRectangle } from "./play.ts";

/** Packed canvases (see `packColour`): the frame before, the frame itself, and the one that follows. */
export type Canvases = { previous: Uint32Array; target: Uint32Array; next: Uint32Array };

/** A frame whose follower is known. */
export type PlannedFrame = {
  delayCs: number;
  /** The area in which target and previous may differ. */
  dirty: Rectangle;
  /** The area in which next and target may differ; undefined for the last frame. */
  following: Rectangle | undefined;
  isTemporary: boolean;
};

/** Plays an animation one frame ahead, keeping the three canvases. Frames that are the same become one. */
export function* lookAhead(animation: Animation, { previous, target, next }: Canvases): Generator<PlannedFrame> {
  let current: Omit<PlannedFrame, "following"> | undefined;
  for (const { pixels, delayCs, dirty, isTemporary } of animation.frames()) {
    copyRectangle(next, pixels, dirty, animation.width);
    if (current) {
      if (canJoin(current.delayCs, delayCs) && isSame(next, target, dirty, animation.width)) {
        current = { ...current, delayCs: current.delayCs + delayCs, isTemporary };
        continue;
      }
      yield { ...current, following: dirty };
      copyRectangle(previous, target, current.dirty, animation.width);
    }
    copyRectangle(target, next, dirty, animation.width);
    current = { delayCs, dirty, isTemporary };
  }
  if (current) yield { ...current, following: undefined };
}

function isSame(first: Uint32Array, second: Uint32Array, area: Rectangle, canvasWidth: number): boolean {
  for (let y = area.top; y < area.top + area.height; y++)
    for (let at = y * canvasWidth + area.left, end = at + area.width; at < end; at++)
      if (first[at] !== second[at]) return false;
  return true;
}
