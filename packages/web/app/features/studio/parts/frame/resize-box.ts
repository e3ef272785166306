import type { CropBox } from "../../state/frame.ts";

type Whole = { widthPx: number; heightPx: number };
export type Corner = "nw" | "ne" | "sw" | "se";

const clamp = (value: number, least: number, most: number) =>
  Math.round(Math.min(Math.max(least, value), Math.max(least, most)));

/** The box elsewhere, within the picture. */
export const movedBox = (box: CropBox, by: { x: number; y: number }, { widthPx, heightPx }: Whole): CropBox => ({
  ...box,
  left: clamp(box.left + by.x, 0, widthPx - box.width),
  top: clamp(box.top + by.y, 0, heightPx - box.height),
});

/** The box with one corner moved; the opposite one stays. `ratio`: width to height, where it is kept. */
export function draggedCorner(
  box: CropBox,
  { corner, x, y, ratio }: { corner: Corner; x: number; y: number; ratio: number | undefined },
  { widthPx, heightPx }: Whole,
): CropBox {
  const isWest = corner.endsWith("w");
  const isNorth = corner.startsWith("n");
  const fixed = { x: isWest ? box.left + box.width : box.left, y: isNorth ? box.top + box.height : box.top };
  const room = { width: isWest ? fixed.x : widthPx - fixed.x, height: isNorth ? fixed.y : heightPx - fixed.y };
  let width = clamp(isWest ? fixed.x - x : x - fixed.x, 1, room.width);
  let height = clamp(isNorth ? fixed.y - y : y - fixed.y, 1, room.height);
  if (ratio !== undefined) {
    width = Math.max(1, Math.round(Math.min(Math.max(width, height * ratio), room.width, room.height * ratio)));
    height = clamp(width / ratio, 1, room.height);
  }
  return { left: isWest ? fixed.x - width : fixed.x, top: isNorth ? fixed.y - height : fixed.y, width, height };
}
