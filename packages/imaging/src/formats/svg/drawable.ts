/**
 * Makes the plain text of an SVG ready to be drawn: sizes in millimetres, inches or points become pixels at 96 to the
 * inch, as in browsers; librsvg under libvips counts 72.
 *
 * Width and height give its size. If one is missing or a percentage, the view box gives it; without one, the extent of
 * the drawn shapes does.
 */
export function drawableSvg(plain: string): string {
  return plain.replace(/^<[^>]*>/, (root) =>
    root.replaceAll(/(\s(?:width|height)\s*=\s*)(["'])\s*([0-9.]+(?:e[+-]?\d+)?)(mm|cm|in|pt|pc|q)\s*\2/gi, inPixels),
  );
}

/** CSS Values 4, section 6.2: pixels a unit. */
const pixelsPer: Record<string, number> = { in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6, pt: 96 / 72, pc: 16 };

const inPixels = (_: string, start: string, quote: string, value: string, unit: string) =>
  `${start}${quote}${Number(value) * (pixelsPer[unit.toLowerCase()] ?? 1)}${quote}`;
