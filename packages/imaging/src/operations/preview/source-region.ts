import type { Rectangle, Size } from "@tintype/codecs/raster";
import { straightenedPoint, type TaskOptions } from "@tintype/contract";
import { type Turn, turnedSize } from "../../raster/turned.ts";
import type { SourceRegion } from "../../task.ts";
import { cropRegion } from "../crop-region.ts";
import type { Geometry } from "../resize/geometry.ts";

/** A step that moves or scales pixels, and the picture before it. */
export type PlacedStep = { before: Size } & (
  | { operation: "turn"; options: TaskOptions<"turn"> }
  | { operation: "crop"; options: TaskOptions<"crop"> }
  | { operation: "resize"; geometry: Geometry }
);

/** The smallest rectangle of a picture, in whole px, that contains what a box of the last step's result shows. */
export function sourceRegion(
  box: Rectangle,
  { picture, steps }: { picture: Size; steps: readonly PlacedStep[] },
): SourceRegion {
  const corners = [box.left, box.left + box.width].flatMap((x) =>
    [box.top, box.top + box.height].map((y) => steps.reduceRight(placeBefore, { x, y })),
  );
  const along = (places: number[], whole: number) => {
    const from = Math.min(whole - 1, Math.max(0, Math.floor(Math.min(...places) + rounding)));
    return { from, length: Math.max(1, Math.min(whole, Math.ceil(Math.max(...places) - rounding)) - from) };
  };
  const across = along(
    corners.map(({ x }) => x),
    picture.width,
  );
  const down = along(
    corners.map(({ y }) => y),
    picture.height,
  );
  return { left: across.from, top: down.from, width: across.length, height: down.length, picture };
}

/** px: ignores the rounding errors of the steps. */
const rounding = 1e-6;

type Point = { x: number; y: number };

/** The point of the picture before a step that its result shows at `point`. */
function placeBefore({ x, y }: Point, step: PlacedStep): Point {
  const { before } = step;
  switch (step.operation) {
    case "turn":
      return unturned({ x, y }, before, step.options);
    case "crop": {
      const { straighten: degrees = 0 } = step.options;
      const { left, top } = cropRegion(before, step.options);
      const place = { x: x + left, y: y + top };
      return degrees === 0 ? place : straightenedPoint(before, { degrees, ...place });
    }
    case "resize": {
      const { width, height, window, placed = { left: 0, top: 0, width, height } } = step.geometry;
      return {
        x: window.left + ((x - placed.left) * window.width) / placed.width,
        y: window.top + ((y - placed.top) * window.height) / placed.height,
      };
    }
  }
}

function unturned({ x, y }: Point, before: Size, { degrees = 0, flip }: Turn): Point {
  const { width, height } = turnedSize(before, { degrees });
  const across = flip === "horizontal" ? width - x : x;
  const down = flip === "vertical" ? height - y : y;
  if (degrees === 90) return { x: down, y: before.height - across };
  if (degrees === 180) return { x: before.width - across, y: before.height - down };
  if (degrees === 270) return { x: before.width - down, y: across };
  return { x: across, y: down };
}
