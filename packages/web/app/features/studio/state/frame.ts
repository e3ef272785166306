import type { WrittenStep } from "@tintype/contract";

/** px */
export type Sides = { widthPx: number; heightPx: number };

/** What comes before any tool: turned, then mirrored, then cropped to a ratio, or to a box of the turned picture, px. */
export type Frame = {
  degrees?: 90 | 180 | 270;
  flip?: "horizontal" | "vertical";
  crop?: { ratio: string } | CropBox;
};
export type CropBox = { left: number; top: number; width: number; height: number };

export const hasFrame = (frame: Frame | undefined): frame is Frame =>
  frame !== undefined && (frame.degrees !== undefined || frame.flip !== undefined || frame.crop !== undefined);

/** A picture's sides after its turn. */
export const turnedSides = ({ widthPx, heightPx }: Sides, { degrees }: Frame): Sides =>
  degrees === 90 || degrees === 270 ? { widthPx: heightPx, heightPx: widthPx } : { widthPx, heightPx };

/** The part of the turned picture that is left, px: as the server's `crop` chooses it. */
export function cropBoxOf(sides: Sides, { crop }: Frame): CropBox {
  const { widthPx, heightPx } = sides;
  if (!crop) return { left: 0, top: 0, width: widthPx, height: heightPx };
  if (!("ratio" in crop)) {
    const left = Math.min(crop.left, widthPx - 1);
    const top = Math.min(crop.top, heightPx - 1);
    return { left, top, width: Math.min(crop.width, widthPx - left), height: Math.min(crop.height, heightPx - top) };
  }
  const { width, height } = largestOf(sides, ratioOf(crop.ratio));
  return { left: Math.floor((widthPx - width) / 2), top: Math.floor((heightPx - height) / 2), width, height };
}

/** `4:5` is 0.8: width to height. */
export function ratioOf(ratio: string): number {
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  return across / down;
}

/** The largest box of a ratio within a picture, px. */
function largestOf({ widthPx, heightPx }: Sides, ratio: number): { width: number; height: number } {
  return widthPx >= heightPx * ratio
    ? { width: Math.max(1, Math.round(heightPx * ratio)), height: heightPx }
    : { width: widthPx, height: Math.max(1, Math.round(widthPx / ratio)) };
}

/**
 * A picture's frame for another one. A box in pixels means nothing there: its ratio, its size in shares of the largest box of
 * that ratio, and the place of its middle in shares of the picture are taken over. `isMoved`: the box did not fit at that place.
 */
export function copyFrame(frame: Frame, { from, to }: { from: Sides; to: Sides }): { frame: Frame; isMoved: boolean } {
  const { crop } = frame;
  if (!crop || "ratio" in crop) return { frame, isMoved: false };
  const [source, target] = [turnedSides(from, frame), turnedSides(to, frame)];
  if (source.widthPx === target.widthPx && source.heightPx === target.heightPx) return { frame, isMoved: false };
  const box = cropBoxOf(source, frame);
  const ratio = box.width / box.height;
  const share = Math.min(1, box.width / largestOf(source, ratio).width);
  const largest = largestOf(target, ratio);
  const width = Math.max(1, Math.round(largest.width * share));
  const height = Math.max(1, Math.round(largest.height * share));
  const wanted = {
    left: Math.round(((box.left + box.width / 2) / source.widthPx) * target.widthPx - width / 2),
    top: Math.round(((box.top + box.height / 2) / source.heightPx) * target.heightPx - height / 2),
  };
  const left = Math.min(Math.max(0, wanted.left), target.widthPx - width);
  const top = Math.min(Math.max(0, wanted.top), target.heightPx - height);
  // Half a pixel of rounding is no move.
  const isMoved = Math.abs(left - wanted.left) > 1 || Math.abs(top - wanted.top) > 1;
  return { frame: { ...frame, crop: { left, top, width, height } }, isMoved };
}

/** The sides that a tool gets to work on. */
export function framedSides(sides: Sides, frame: Frame | undefined): Sides {
  if (!hasFrame(frame)) return sides;
  const { width, height } = cropBoxOf(turnedSides(sides, frame), frame);
  return { widthPx: width, heightPx: height };
}

/** The steps before the tool, as a recipe has them. */
export function stepsOf({ degrees, flip, crop }: Frame): WrittenStep[] {
  const turn = { ...(degrees === undefined ? {} : { degrees }), ...(flip === undefined ? {} : { flip }) };
  return [...(Object.keys(turn).length > 0 ? [{ turn }] : []), ...(crop ? [{ crop: { ...crop } }] : [])];
}
