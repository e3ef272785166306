import { type RefObject, useEffect, useEffectEvent } from "react";

/** The zoom by a wheel's pixels, as an exponent: a notch of a mouse is 100 to 120. */
const wheelSpeed = 0.002;
/** A touchpad tells a pinch in small numbers. */
const pinchSpeed = 0.01;
const linePx = 16;

type Options = { zoom: number; mostZoom: number; onZoom(wanted: number, event: WheelEvent): void };

/** Zooms by the wheel or a touchpad's pinch over an element, from 1 to `mostZoom`. At either end the page scrolls on. */
export function useWheelZoom(area: RefObject<HTMLElement | null>, { zoom, mostZoom, onZoom }: Options): void {
  // React's own listeners cannot keep the page from scrolling.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const isPinch = event.ctrlKey; // of a touchpad, by the browsers' convention
    const isOut = event.deltaY > 0;
    if (!isPinch && (isOut ? zoom <= 1 : zoom >= mostZoom)) return;
    event.preventDefault();
    const steps = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * linePx : event.deltaY;
    onZoom(zoom * Math.exp(-steps * (isPinch ? pinchSpeed : wheelSpeed)), event);
  });
  useEffect(() => {
    const { current } = area;
    current?.addEventListener("wheel", onWheel, { passive: false });
    return () => current?.removeEventListener("wheel", onWheel);
  }, [area]);
}
