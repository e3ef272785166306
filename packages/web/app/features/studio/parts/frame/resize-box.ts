import type { CropBox, Sides } from "../../state/frame.ts";

/** The handles of a box: its corners and the midpoints of its edges. */
export const grips = ["nw", "n", "ne", "e", "se", "s", "sw", "w"] as const;
export type Grip = (typeof grips)[number];

const clamp = (value: number, min: number, max: number) =>
  Math.round(Math.min(Math.max(min, value), Math.max(min, max)));

/** The box moved, clamped to the picture. */
export const movedBox = (box: CropBox, by: { x: number; y: number }, { widthPx, heightPx }: Sides): CropBox => ({
  ...box,
  left: clamp(box.left + by.x, 0, widthPx - box.width),
  top: clamp(box.top + by.y, 0, heightPx - box.height),
});

/**
 * The box with one corner or edge dragged to a point; the opposite one stays. `ratio` is width divided by height, if it is locked:
 * dragging an edge then resizes the other axis around its centre.
 */
export function draggedGrip(
  box: CropBox,
  { grip, x, y, ratio }: { grip: Grip; x: number; y: number; ratio: number | undefined },
  { widthPx, heightPx }: Sides,
): CropBox {
  const across = axisOf({ start: box.left, length: box.width, to: x, whole: widthPx }, sideOf(grip, "w", "e"));
  const down = axisOf({ start: box.top, length: box.height, to: y, whole: heightPx }, sideOf(grip, "n", "s"));
  let [width, height] = [across.wanted, down.wanted];
  if (ratio !== undefined) {
    const dragWidth = down.side === 0 ? width : across.side === 0 ? height * ratio : Math.max(width, height * ratio);
    width = Math.max(1, Math.round(Math.min(dragWidth, across.room, down.room * ratio)));
    height = clamp(width / ratio, 1, down.room);
  }
  return { left: across.startOf(width), top: down.startOf(height), width, height };
}

type Side = -1 | 0 | 1;

const sideOf = (grip: Grip, before: string, after: string): Side =>
  grip.includes(before) ? -1 : grip.includes(after) ? 1 : 0;

/** Along one axis, px: the length that the pointer asks for, the largest that fits, and the start for a given length. */
function axisOf(
  { start, length, to, whole }: { start: number; length: number; to: number; whole: number },
  side: Side,
) {
  const end = start + length;
  if (side === 1) {
    const room = whole - start;
    return { side, room, wanted: clamp(to - start, 1, room), startOf: () => start };
  }
  if (side === -1) return { side, room: end, wanted: clamp(end - to, 1, end), startOf: (now: number) => end - now };
  const middle = start + length / 2;
  const room = 2 * Math.min(middle, whole - middle);
  return { side, room, wanted: length, startOf: (now: number) => clamp(middle - now / 2, 0, whole - now) };
}
