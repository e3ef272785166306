import type { Rectangle, Size } from "@tintype/codecs/raster";
import {
  boxInStraightened,
  DomainError,
  largestStraightened,
  sharesBefore,
  straightenedSize,
  type TaskOptions,
} from "@tintype/contract";
import { type CropShares, sharesOf } from "./resize/geometry.ts";

/**
 * The region of a crop, px: the requested box clipped to the picture, and with a ratio the largest box inside
 * it, by `shares`, which the gravity gives unless it is `smart`. A straightened picture shows no corners beyond its edges.
 * @throws cannot-process if the box starts beyond the picture
 */
export function cropRegion(
  picture: Size,
  options: TaskOptions<"crop">,
  shares = sharesOf(options.gravity) ?? sharesBefore("centre"),
): Rectangle {
  const { straighten: degrees = 0, ...rest } = options;
  if (degrees === 0) return regionIn(picture, options, shares);
  const { left, top, width, height, ratio } = rest;
  if ([left, top, width, height].every((side) => side === undefined))
    return largestStraightened(picture, { degrees, ratio: ratio === undefined ? shapeOf(picture) : ratioOf(ratio) });
  const box = boxInStraightened(regionIn(straightenedSize(picture, degrees), rest, shares), { picture, degrees });
  if (!box)
    throw new DomainError("cannot-process", {
      field: "straighten",
      reason: { code: "crop-centre-outside", degrees },
    });
  return box;
}

function regionIn(picture: Size, options: TaskOptions<"crop">, shares: CropShares): Rectangle {
  const { left = 0, top = 0 } = options;
  if (left >= picture.width || top >= picture.height)
    throw new DomainError("cannot-process", {
      field: left >= picture.width ? "left" : "top",
      reason: { code: "crop-outside", left, top, width: picture.width, height: picture.height },
    });
  const box = {
    left,
    top,
    width: Math.min(options.width ?? picture.width, picture.width - left),
    height: Math.min(options.height ?? picture.height, picture.height - top),
  };
  return options.ratio === undefined ? box : shapedBox(box, { ratio: options.ratio, shares });
}

function shapedBox(box: Rectangle, { ratio, shares }: { ratio: string; shares: CropShares }): Rectangle {
  const [across, down] = sidesOf(ratio);
  const isBoxFlatter = box.width * down >= box.height * across;
  const width = isBoxFlatter ? side((box.height * across) / down, box.width) : box.width;
  const height = isBoxFlatter ? box.height : side((box.width * down) / across, box.height);
  return {
    left: box.left + Math.floor((box.width - width) * shares.across),
    top: box.top + Math.floor((box.height - height) * shares.down),
    width,
    height,
  };
}

function sidesOf(ratio: string): [across: number, down: number] {
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  return [across, down];
}

const ratioOf = (ratio: string) => {
  const [across, down] = sidesOf(ratio);
  return across / down;
};

const shapeOf = ({ width, height }: Size) => width / height;

const side = (exact: number, most: number) => Math.min(most, Math.max(1, Math.round(exact)));
