/** The behaviour for scrolling from script: smooth, unless the person prefers reduced motion. */
export const scrollBehavior = (): ScrollBehavior =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
