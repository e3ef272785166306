import type { Sides } from "../../state/frame.ts";

/** In CSS px. */
export type Box = { width: number; height: number };

/**
 * `fit` shows the whole picture inside the stage, never enlarged. With `actual` a picture pixel is one screen pixel, with
 * `double` 2 by 2.
 */
export type Zoom = "fit" | "actual" | "double";
const times = { actual: 1, double: 2 } as const;

/** The size at which a picture is drawn on the stage, CSS px. */
export function drawnSize({
  sides,
  stage,
  zoom,
  density,
}: {
  sides: Sides;
  stage: Box;
  zoom: Zoom;
  density: number;
}): Box {
  const scale =
    zoom === "fit" ? Math.min(1, stage.width / sides.widthPx, stage.height / sides.heightPx) : times[zoom] / density;
  return { width: sides.widthPx * scale, height: sides.heightPx * scale };
}

/** A range along one axis of the stage, px. */
export type Span = { start: number; length: number };

/** The visible part of a drawn picture along one axis: its start on the stage and its length. */
export function visibleSpan(drawn: number, stage: number): Span {
  return { start: Math.max(0, (stage - drawn) / 2), length: Math.min(drawn, stage) };
}

/** Whether two pictures have the same aspect ratio. Tolerates 1% for rounding. */
export function isSameShape(one: Sides, other: Sides): boolean {
  const ratio = (one.widthPx / one.heightPx) * (other.heightPx / other.widthPx);
  return Math.abs(ratio - 1) < 0.01;
}
