import {
  boxInStraightened,
  isInStraightened,
  largestStraightened,
  straightenedSize,
  type WrittenStep,
} from "@tintype/contract";

/** px */
export type Sides = { widthPx: number; heightPx: number };

/**
 * What happens before any tool: rotate, mirror, straighten by an angle, then crop to a ratio, or to a box within the bounds of
 * the straightened picture, px.
 */
export type Frame = {
  degrees?: 90 | 180 | 270;
  flip?: "horizontal" | "vertical";
  /** Clockwise, in tenths of a degree; never 0. */
  straighten?: number;
  crop?: { ratio: string } | CropBox;
  /** Position of the part that a resize with `fill` keeps: 0 is left or top, 1 right or bottom. The default is the centre. */
  fillAt?: { x: number; y: number };
};
export type CropBox = { left: number; top: number; width: number; height: number };

/** `fillAt` does not count: on its own it changes nothing, and only a resize turns it into a crop. */
export const hasFrame = (frame: Frame | undefined): frame is Frame =>
  frame !== undefined &&
  (frame.degrees !== undefined ||
    frame.flip !== undefined ||
    frame.straighten !== undefined ||
    frame.crop !== undefined);

/** A picture's sides after its quarter turns. */
export const turnedSides = ({ widthPx, heightPx }: Sides, { degrees }: Frame): Sides =>
  degrees === 90 || degrees === 270 ? { widthPx: heightPx, heightPx: widthPx } : { widthPx, heightPx };

const sizeOf = ({ widthPx, heightPx }: Sides) => ({ width: widthPx, height: heightPx });

/** The bounds of the straightened picture, in which a crop box lies. @param turned from `turnedSides` */
export function boundsOf(turned: Sides, { straighten }: Frame): Sides {
  if (straighten === undefined) return turned;
  const { width, height } = straightenedSize(sizeOf(turned), straighten);
  return { widthPx: width, heightPx: height };
}

/**
 * The part of the picture that remains, px, computed like the server's `crop`.
 * @param sides after the quarter turns
 */
export function cropBoxOf(sides: Sides, { crop, straighten: degrees }: Frame): CropBox {
  const { widthPx, heightPx } = sides;
  if (degrees !== undefined) {
    const of = { picture: sizeOf(sides), degrees };
    const inside = crop && !("ratio" in crop) ? boxInStraightened(crop, of) : undefined;
    const ratio = crop && "ratio" in crop ? ratioOf(crop.ratio) : widthPx / heightPx;
    return inside ?? largestStraightened(of.picture, { degrees, ratio });
  }
  if (!crop) return { left: 0, top: 0, width: widthPx, height: heightPx };
  if (!("ratio" in crop)) {
    const left = Math.min(crop.left, widthPx - 1);
    const top = Math.min(crop.top, heightPx - 1);
    return { left, top, width: Math.min(crop.width, widthPx - left), height: Math.min(crop.height, heightPx - top) };
  }
  const { width, height } = largestOf(sides, ratioOf(crop.ratio));
  return { left: Math.floor((widthPx - width) / 2), top: Math.floor((heightPx - height) / 2), width, height };
}

/**
 * The frame with another angle. A crop box keeps its position relative to the centre of the bounds and shrinks to fit.
 * @param userCrop the box as the user made it, and its bounds, so that a smaller angle restores what a larger one cut off
 */
export function straightenTo(
  { straighten: _, ...frame }: Frame,
  {
    degrees,
    turned,
    userCrop,
  }: { degrees: number; turned: Sides; userCrop: { box: CropBox; bounds: Sides } | undefined },
): Frame {
  const next: Frame = { ...frame, ...(degrees === 0 ? {} : { straighten: degrees }) };
  if (!userCrop) return next;
  const bounds = boundsOf(turned, next);
  const { box } = userCrop;
  const moved = {
    ...box,
    left: Math.round(box.left + (bounds.widthPx - userCrop.bounds.widthPx) / 2),
    top: Math.round(box.top + (bounds.heightPx - userCrop.bounds.heightPx) / 2),
  };
  return { ...next, crop: cropBoxOf(turned, { ...next, crop: withinBounds(moved, bounds) }) };
}

function withinBounds(box: CropBox, { widthPx, heightPx }: Sides): CropBox {
  const width = Math.min(box.width, widthPx);
  const height = Math.min(box.height, heightPx);
  return {
    left: Math.min(Math.max(0, box.left), widthPx - width),
    top: Math.min(Math.max(0, box.top), heightPx - height),
    width,
    height,
  };
}

/** Moves a box towards another one as far as it stays inside the straightened picture, horizontally and vertically on their own. */
export function moveBox(
  from: CropBox,
  to: CropBox,
  { turned, frame: { straighten: degrees }, isRatioLocked }: { turned: Sides; frame: Frame; isRatioLocked: boolean },
): CropBox {
  if (degrees === undefined) return to;
  const of = { picture: sizeOf(turned), degrees };
  const across = { ...from, left: to.left, width: to.width };
  if (isRatioLocked) return lastInside(from, to, of);
  const halfway = lastInside(from, across, of);
  return lastInside(halfway, { ...halfway, top: to.top, height: to.height }, of);
}

/** Bisects: the boxes inside the picture form a convex set, so every box up to some share of the way is inside. */
function lastInside(from: CropBox, to: CropBox, of: Parameters<typeof isInStraightened>[1]): CropBox {
  if (isInStraightened(to, of)) return to;
  const at = (share: number): CropBox => {
    const between = (name: keyof CropBox) => from[name] + Math.round((to[name] - from[name]) * share);
    return { left: between("left"), top: between("top"), width: between("width"), height: between("height") };
  };
  let [inside, outside] = [0, 1];
  for (let i = 0; i < 12; i++) {
    const middle = (inside + outside) / 2;
    if (isInStraightened(at(middle), of)) inside = middle;
    else outside = middle;
  }
  return at(inside);
}

/** Width divided by height: `4:5` is 0.8. */
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
 * A picture's frame for another picture. A box in pixels is transferred by its ratio, its size relative to the largest box of that
 * ratio, and its centre relative to the picture's sides. `isMoved`: the box did not fit there.
 */
export function copyFrame(frame: Frame, { from, to }: { from: Sides; to: Sides }): { frame: Frame; isMoved: boolean } {
  const { crop } = frame;
  if (!crop || "ratio" in crop) return { frame, isMoved: false };
  const [sourceTurned, targetTurned] = [turnedSides(from, frame), turnedSides(to, frame)];
  const [source, target] = [boundsOf(sourceTurned, frame), boundsOf(targetTurned, frame)];
  if (source.widthPx === target.widthPx && source.heightPx === target.heightPx) return { frame, isMoved: false };
  const box = cropBoxOf(sourceTurned, frame);
  const ratio = box.width / box.height;
  const { straighten: degrees } = frame;
  const largestIn = (turned: Sides) =>
    degrees === undefined ? largestOf(turned, ratio) : largestStraightened(sizeOf(turned), { degrees, ratio });
  const share = Math.min(1, box.width / largestIn(sourceTurned).width);
  const largest = largestIn(targetTurned);
  const width = Math.max(1, Math.round(largest.width * share));
  const height = Math.max(1, Math.round(largest.height * share));
  const ideal = {
    left: Math.round(((box.left + box.width / 2) / source.widthPx) * target.widthPx - width / 2),
    top: Math.round(((box.top + box.height / 2) / source.heightPx) * target.heightPx - height / 2),
  };
  const left = Math.min(Math.max(0, ideal.left), target.widthPx - width);
  const top = Math.min(Math.max(0, ideal.top), target.heightPx - height);
  // Tolerates a rounding of half a pixel.
  const isMoved = Math.abs(left - ideal.left) > 1 || Math.abs(top - ideal.top) > 1;
  const inside = cropBoxOf(targetTurned, { ...frame, crop: { left, top, width, height } });
  return { frame: { ...frame, crop: inside }, isMoved: isMoved || inside.width < width - 1 };
}

/** The part of a framed picture that a resize with `fill` to this ratio keeps, px. @param turned from `turnedSides` */
export function fillBoxOf(turned: Sides, frame: Frame, ratio: number): CropBox {
  const inside = cropBoxOf(turned, frame);
  const { width, height } = largestOf({ widthPx: inside.width, heightPx: inside.height }, ratio);
  const { x, y } = frame.fillAt ?? { x: 0.5, y: 0.5 };
  return {
    left: inside.left + Math.round((inside.width - width) * x),
    top: inside.top + Math.round((inside.height - height) * y),
    width,
    height,
  };
}

/** The frame with `fillAt` turned into a crop, if the user has moved the part that a resize to this ratio keeps. */
export function filledFrame(
  frame: Frame | undefined,
  { sides, ratio }: { sides: Sides | undefined; ratio: number | undefined },
): Frame | undefined {
  if (!frame?.fillAt) return frame;
  const { fillAt: _, ...rest } = frame;
  if (!sides || ratio === undefined) return rest;
  const turned = turnedSides(sides, frame);
  const [whole, crop] = [cropBoxOf(turned, frame), fillBoxOf(turned, frame, ratio)];
  return crop.width === whole.width && crop.height === whole.height ? rest : { ...rest, crop };
}

/** The sides of a tool's input, after the frame. */
export function framedSides(sides: Sides, frame: Frame | undefined): Sides {
  if (!hasFrame(frame)) return sides;
  const { width, height } = cropBoxOf(turnedSides(sides, frame), frame);
  return { widthPx: width, heightPx: height };
}

/** The frame as recipe steps before the tool. */
export function stepsOf({ degrees, flip, straighten, crop }: Frame): WrittenStep[] {
  const turn = { ...(degrees === undefined ? {} : { degrees }), ...(flip === undefined ? {} : { flip }) };
  return [
    ...(Object.keys(turn).length > 0 ? [{ turn }] : []),
    ...(crop || straighten !== undefined
      ? [{ crop: { ...crop, ...(straighten === undefined ? {} : { straighten }) } }]
      : []),
  ];
}
