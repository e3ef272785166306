import type { WrittenStep } from "@tintype/contract";
import type { Sides } from "./picture.ts";
import type { CropBox, Frame } from "./settings.ts";

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
  const [across = 1, down = 1] = crop.ratio.split(":").map(Number);
  const isFlatter = widthPx * down >= heightPx * across;
  const width = isFlatter ? Math.max(1, Math.round((heightPx * across) / down)) : widthPx;
  const height = isFlatter ? heightPx : Math.max(1, Math.round((widthPx * down) / across));
  return { left: Math.floor((widthPx - width) / 2), top: Math.floor((heightPx - height) / 2), width, height };
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
