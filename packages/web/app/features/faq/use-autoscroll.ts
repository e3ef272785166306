import { type RefObject, useEffect, useState } from "react";

/** From docs/product.md. */
const stepPx = 2;

/** The scroll position in the next frame: past the first half it wraps around, unnoticed. */
function nextScroll({ atPx, widthPx }: { atPx: number; widthPx: number }): number {
  const half = widthPx / 2;
  const next = atPx + stepPx;
  return next >= half ? next - half : next;
}

/** Scrolls a strip that contains its content twice, one step per animation frame, while it is visible and not paused. */
export function useAutoscroll(
  strip: RefObject<HTMLElement | null>,
  { isHeld }: { isHeld: boolean },
): { isPlaying: boolean; toggle(): void } {
  const [isPlaying, setIsPlaying] = useState(false);
  const [isSeen, setIsSeen] = useState(false);

  useEffect(() => {
    setIsPlaying(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  }, []);
  useEffect(() => {
    if (!strip.current) return;
    const observer = new IntersectionObserver(([entry]) => setIsSeen(entry?.isIntersecting ?? false));
    observer.observe(strip.current);
    return () => observer.disconnect();
  }, [strip]);
  useEffect(() => {
    if (!isPlaying || !isSeen || isHeld) return;
    let frame = requestAnimationFrame(function step() {
      const { current } = strip;
      if (current) current.scrollLeft = nextScroll({ atPx: current.scrollLeft, widthPx: current.scrollWidth });
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [strip, isPlaying, isSeen, isHeld]);

  return { isPlaying, toggle: () => setIsPlaying(!isPlaying) };
}
