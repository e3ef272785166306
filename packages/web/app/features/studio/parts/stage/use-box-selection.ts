import { type PointerEvent, useRef, useState } from "react";
import type { PictureId } from "../../state/picture.ts";

/** Pointer movement from which a drag becomes a box selection, px. */
const dragFromPx = 6;

type Rectangle = { left: number; top: number; right: number; bottom: number };

/** A box drawn with the mouse, starting on or beside the pictures. It selects every picture that it touches. */
export function useBoxSelection(
  list: { current: HTMLElement | null },
  onSelect: (ids: ReadonlySet<PictureId>) => void,
) {
  const [box, setBox] = useState<{ left: number; top: number; width: number; height: number }>();
  const start = useRef<{ x: number; y: number }>(undefined);
  const end = (event: PointerEvent<HTMLElement>) => {
    start.current = undefined;
    setBox(undefined);
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      event.currentTarget.releasePointerCapture(event.pointerId);
  };
  return {
    box,
    onPointerDown({ pointerType, button, clientX, clientY, currentTarget }: PointerEvent) {
      const isOnBar = clientX > currentTarget.getBoundingClientRect().left + currentTarget.clientWidth;
      if (pointerType === "mouse" && button === 0 && !isOnBar) start.current = { x: clientX, y: clientY };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { current } = start;
      if (!current) return;
      if ((event.buttons & 1) === 0) return end(event); // released outside, without a pointerup event
      const { clientX: x, clientY: y } = event;
      if (!box && Math.hypot(x - current.x, y - current.y) < dragFromPx) return;
      // From here on it is a drag, not a click.
      event.currentTarget.setPointerCapture(event.pointerId);
      const drawn = {
        left: Math.min(x, current.x),
        top: Math.min(y, current.y),
        right: Math.max(x, current.x),
        bottom: Math.max(y, current.y),
      };
      setBox({ left: drawn.left, top: drawn.top, width: drawn.right - drawn.left, height: drawn.bottom - drawn.top });
      const touched = [...(list.current?.children ?? [])].filter((item) =>
        intersects(item.getBoundingClientRect(), drawn),
      );
      onSelect(new Set(touched.map((item) => (item as HTMLElement).dataset["id"] as PictureId))); // set by this grid
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

const intersects = (one: Rectangle, other: Rectangle): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
