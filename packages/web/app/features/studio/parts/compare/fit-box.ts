import type { Sides } from "../../state/frame.ts";

/** In CSS px. */
export type Box = { width: number; height: number };

/** `fit` shows the whole picture inside the stage, never enlarged. A number is screen pixels per picture pixel: 1 is 1:1. */
export type Zoom = "fit" | number;
/** The largest zoom, screen pixels per picture pixel. */
export const maxZoom = 8;

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
    zoom === "fit" ? Math.min(1, stage.width / sides.widthPx, stage.height / sides.heightPx) : zoom / density;
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
