import { DomainError } from "@tintype/contract";
import { findUnprintable, openFaces, runsOf } from "../../text/fonts.ts";

export type MarkFont = "sans" | "serif";

/** A line of text as outlines: an SVG path, the box of its ink from 0, 0, in thousandths of the font's size. */
export type TextMark = { path: string; width: number; height: number };

/** Letters are of the first face that has them: those of Fraunces, which is Latin only, beside Inter's. */
const facesOf = (font: MarkFont) => [
  ...(font === "serif" ? openFaces("fraunces", 600) : []),
  ...openFaces("inter", 600),
  ...openFaces("devanagari", 600),
];

const unitsPerSize = 1000;

/** @throws cannot-process if no font has a letter of the text, or nothing of it is seen */
export function setTextMark(text: string, font: MarkFont): TextMark {
  const faces = facesOf(font);
  const runs = runsOf(text, faces);
  if (!runs) {
    const character = findUnprintable(text, faces) ?? "";
    throw new DomainError("cannot-process", {
      field: "text",
      reason: { code: "watermark-character", character },
    });
  }
  const [far, near] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const ink = { left: far, top: far, right: near, bottom: near };
  const placed: string[] = [];
  let across = 0;
  for (const { text: part, face } of runs) {
    const scale = unitsPerSize / face.font.unitsPerEm;
    const { glyphs, positions } = face.font.layout(part);
    for (const [index, glyph] of glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      const [x, y] = [across + xOffset * scale, -yOffset * scale];
      const { minX, minY, maxX, maxY } = glyph.path.bbox;
      if (maxX > minX) {
        ink.left = Math.min(ink.left, x + minX * scale);
        ink.right = Math.max(ink.right, x + maxX * scale);
        ink.top = Math.min(ink.top, y - maxY * scale);
        ink.bottom = Math.max(ink.bottom, y - minY * scale);
        placed.push(`<path transform="translate(${x} ${y}) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/>`);
      }
      across += xAdvance * scale;
    }
  }
  if (placed.length === 0)
    throw new DomainError("cannot-process", { field: "text", reason: { code: "watermark-missing" } });
  const [width, height] = [ink.right - ink.left, ink.bottom - ink.top];
  return { path: `<g transform="translate(${-ink.left} ${-ink.top})">${placed.join("")}</g>`, width, height };
}
