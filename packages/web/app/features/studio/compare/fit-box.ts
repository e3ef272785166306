import type { Sides } from "../state/picture.ts";

/** px on the page */
export type Box = { width: number; height: number };

/** `fit`: the whole picture inside the stage, never enlarged. `actual`: one pixel of the picture is one of the screen. */
export type Zoom = "fit" | "actual";

/** How large a picture is drawn on the stage. */
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
  const actual = 1 / density;
  const scale = zoom === "actual" ? actual : Math.min(1, stage.width / sides.widthPx, stage.height / sides.heightPx);
  return { width: sides.widthPx * scale, height: sides.heightPx * scale };
}

/** Along one axis of the stage. px */
export type Span = { start: number; length: number };

/** The part of a drawn picture that is in view along one axis: where it begins on the stage, and how long it is. */
export function visibleSpan(drawn: number, stage: number): Span {
  return { start: Math.max(0, (stage - drawn) / 2), length: Math.min(drawn, stage) };
}

/** Whether before and after show the same frame, one over the other. Rounding can differ by 1 %. */
export function isSameShape(one: Sides, other: Sides): boolean {
  const ratio = (one.widthPx / one.heightPx) * (other.heightPx / other.widthPx);
  return Math.abs(ratio - 1) < 0.01;
}
