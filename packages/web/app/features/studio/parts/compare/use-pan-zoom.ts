import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef } from "react";
import type { Sides } from "../../state/frame.ts";
import { type Box, drawnSize, maxZoom, type Zoom } from "./fit-box.ts";
import { useWheelZoom } from "./use-wheel-zoom.ts";

/** Factor of one press of + or -. */
const keyFactor = 1.25;

type Elements = {
  /** Where the wheel and the keys zoom. */
  area: RefObject<HTMLElement | null>;
  /** What scrolls, as large as `area`. */
  scroller: RefObject<HTMLElement | null>;
};

type View = {
  sides: Sides;
  stage: Box | undefined;
  /** The picture as drawn, CSS px. */
  drawn: Box | undefined;
  zoom: Zoom;
  onZoom: ((zoom: Zoom) => void) | undefined;
};

/**
 * Zooms a scrolling picture by the wheel, a touchpad's pinch and the keys +, -, 0 (fit) and 1 (1:1), about the pointer or
 * the middle, and pans it by dragging with a mouse. Fingers scroll it by themselves. Returns the handlers of both elements.
 */
export function usePanZoom({ area, scroller: element }: Elements, { sides, stage, drawn, zoom, onZoom }: View) {
  const density = window.devicePixelRatio;
  const zoomOf = (box: Box | undefined) => (box ? (box.width / sides.widthPx) * density : 1);
  const now = zoomOf(drawn);
  const fitted = zoomOf(stage && drawnSize({ sides, stage, zoom: "fit", density }));
  /** The spot that stays where it is, in shares of the picture, and its place on the stage, px. */
  const anchor = useRef<{ across: number; down: number; x: number; y: number }>(undefined);
  const zoomTo = (next: number, x: number, y: number) => {
    const { current } = element;
    if (!current || !drawn || !onZoom) return;
    const shareAt = (at: number, size: number, room: number, scrolled: number) =>
      (at + scrolled - Math.max(0, (room - size) / 2)) / size;
    anchor.current = {
      across: shareAt(x, drawn.width, current.clientWidth, current.scrollLeft),
      down: shareAt(y, drawn.height, current.clientHeight, current.scrollTop),
      x,
      y,
    };
    onZoom(next <= fitted ? "fit" : Math.min(maxZoom, next));
  };
  useWheelZoom(area, {
    zoom: onZoom ? now / fitted : 1,
    maxZoom: onZoom ? maxZoom / fitted : 1,
    onZoom(next, { clientX, clientY }) {
      const box = element.current?.getBoundingClientRect();
      if (box) zoomTo(next * fitted, clientX - box.left, clientY - box.top);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the zoom has changed
  useLayoutEffect(() => {
    const { current } = element;
    if (!current || zoom === "fit" || !drawn) return;
    const { across, down, x, y } = anchor.current ?? {
      across: 0.5,
      down: 0.5,
      x: current.clientWidth / 2,
      y: current.clientHeight / 2,
    };
    anchor.current = undefined;
    current.scrollTo(across * drawn.width - x, down * drawn.height - y);
  }, [element, zoom]);
  const start = useRef<{ x: number; y: number }>(undefined);
  return {
    onKeyDown({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
      if (!onZoom || ctrlKey || metaKey || altKey || !stage) return;
      const [x, y] = [stage.width / 2, stage.height / 2];
      if (key === "+" || key === "=") zoomTo(now * keyFactor, x, y);
      else if (key === "-") zoomTo(now / keyFactor, x, y);
      else if (key === "1") zoomTo(1, x, y);
      else if (key === "0") onZoom("fit");
    },
    onPointerDown({ pointerType, button, clientX, clientY, currentTarget, pointerId }: PointerEvent<HTMLElement>) {
      if (pointerType !== "mouse" || button !== 0 || zoom === "fit") return;
      start.current = { x: clientX + currentTarget.scrollLeft, y: clientY + currentTarget.scrollTop };
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove({ buttons, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) {
      if (start.current && buttons & 1) currentTarget.scrollTo(start.current.x - clientX, start.current.y - clientY);
    },
    onPointerUp() {
      start.current = undefined;
    },
  };
}
