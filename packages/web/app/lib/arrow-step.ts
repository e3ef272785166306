import type { KeyboardEvent } from "react";

/** The direction of an arrow key, which then does not scroll the page. Undefined for other keys. */
export function arrowStep(event: KeyboardEvent): { x: number; y: number } | undefined {
  const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
  if (x === undefined || y === undefined) return undefined;
  event.preventDefault();
  return { x, y };
}
