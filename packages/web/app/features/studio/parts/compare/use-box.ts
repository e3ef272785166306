import { type RefObject, useEffect, useRef, useState } from "react";
import type { Box } from "./fit-box.ts";

/** The content size of an element, kept up to date; undefined until it is mounted. */
export function useBox<Shown extends HTMLElement>(): [RefObject<Shown | null>, Box | undefined] {
  const element = useRef<Shown>(null);
  const [box, setBox] = useState<Box>();
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setBox({ width: current.clientWidth, height: current.clientHeight }));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, box];
}
