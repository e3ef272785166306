import type { Sides } from "../../state/frame.ts";

/** px on the page */
export type Box = { width: number; height: number };

/**
 * `fit`: the whole picture inside the stage, never enlarged. `actual`: one pixel of the picture is one of the screen;
 * `double` and `quadruple`: two and four by two and four.
 */
export type Zoom = "fit" | "actual" | "double" | "quadruple";
const times = { actual: 1, double: 2, quadruple: 4 } as const;

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
  const scale =
    zoom === "fit" ? Math.min(1, stage.width / sides.widthPx, stage.height / sides.heightPx) : times[zoom] / density;
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
