import { type RefObject, useEffect, useEffectEvent } from "react";

/** Exponent of the zoom per wheel px. A mouse wheel's notch is 100 to 120 px. */
const wheelSpeed = 0.002;
/** Higher for a touchpad's pinch, which reports small deltas. */
const pinchSpeed = 0.01;
const linePx = 16;

type Options = { zoom: number; maxZoom: number; onZoom(nextZoom: number, event: WheelEvent): void };

/** Zooms from 1 to `maxZoom` by the wheel or a touchpad's pinch over an element. At either limit the wheel scrolls the page. */
export function useWheelZoom(area: RefObject<HTMLElement | null>, { zoom, maxZoom, onZoom }: Options): void {
  // React's wheel listeners are passive and cannot prevent scrolling.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const isPinch = event.ctrlKey; // how browsers report a touchpad's pinch
    const isOut = event.deltaY > 0;
    if (!isPinch && (isOut ? zoom <= 1 : zoom >= maxZoom)) return;
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
