import { attribute } from "./pieces.ts";

/**
 * Estimated times of librsvg 2.63, ms, each measured separately on one core of a small server. They distinguish minutes
 * from seconds; the engine's time limit stops whatever they miss.
 */
export const costs = {
  /** 20,000 small rectangles took 0.3 s. */
  element: 0.015,
  /** A number in a path or a list of points. */
  point: 0.0005,
  matching,
  /** The layout of a text run is cubic in its length: 3,000 letters took 1.3 s and 4,000 took 2.9 s. */
  run: (characters: number) => 0.02 * characters + 4.5e-8 * characters ** 3,
  points: countNumbers,
  layers,
  filterStep,
  dashes,
} as const;

/**
 * Matching 8,000 selectors against 4,000 elements took more than 20 s. Some selectors inspect every sibling of every
 * element.
 */
function matching({ selectors, siblings }: { selectors: number; siblings: number }, elements: number): number {
  return 0.0006 * (selectors * elements + siblings * elements ** 2);
}

function countNumbers(tag: string): number {
  const path = attribute(tag, "d") ?? attribute(tag, "points");
  return path ? (path.match(/\d+(?:\.\d*)?|\.\d+/g)?.length ?? 0) : 0;
}

/** Per megapixel: a mask took 8 ms, blending 11 ms, opacity 0.3 ms, however small the element. */
function layers(attributes: string): number {
  return (
    (/(?<![-\w])mask\s*[=:]/.test(attributes) ? 8 : 0) +
    (/mix-blend-mode|isolation/.test(attributes) ? 11 : 0) +
    (/(?<![-\w])opacity\s*[=:]/.test(attributes) ? 0.3 : 0) +
    // Filter functions, applied in sequence.
    4 * (/(?<![-\w])filter\s*[=:]\s*["']?([^"';]*)/.exec(attributes)?.[1]?.match(/\w\(/g)?.length ?? 0)
  );
}

/** Per megapixel, for a small element; blurring a large one took forty times as long. */
function filterStep(name: string, tag: string): number {
  const number = (of: "numOctaves" | "radius" | "order") => Math.abs(Number.parseFloat(attribute(tag, of) ?? "") || 0);
  if (name === "feTurbulence") return 4 + 100 * Math.min(9, number("numOctaves") || 1);
  if (name === "feMorphology") return 4 + 6 * number("radius");
  if (name === "feConvolveMatrix") return 4 + number("order") ** 2;
  return name === "feGaussianBlur" || name === "feDropShadow" ? 20 : 4;
}

/** 100 dashes took 1 ms. */
function dashes(tag: string, pattern: string): number {
  const period = (pattern.match(/[\d.]+(?:e-?\d+)?/gi) ?? []).reduce((sum, number) => sum + Number(number), 0);
  const path = attribute(tag, "d") ?? attribute(tag, "points") ?? "";
  return period > 0 ? (0.01 * lengthOf(path)) / period : 0;
}

/**
 * The approximate length of a path: the sum of the steps along each axis from point to point, control points included.
 */
function lengthOf(path: string): number {
  const at = [0, 0];
  let length = 0;
  for (const [, command = "L", text = ""] of path.matchAll(/([a-z])?([^a-z]*(?:e[-+]?\d[^a-z]*)*)/gi)) {
    const numbers = (text.match(/-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
    const isRelative = command === command.toLowerCase();
    numbers.forEach((number, i) => {
      if (/a/i.test(command) && i % 7 < 5) return; // radii and flags
      const axis = /h/i.test(command) ? 0 : /v/i.test(command) ? 1 : /a/i.test(command) ? (i % 7) - 5 : i % 2;
      const from = at[axis] ?? 0;
      at[axis] = isRelative ? from + number : number;
      length += Math.abs(at[axis] - from);
    });
  }
  return length;
}
