import type { Note } from "@tintype/contract";
import type { XastElement } from "svgo";
import { inPixels } from "./lengths.ts";
import { readDeclarations } from "./style-sheet.ts";

/** The size of the coordinate system around an element. */
export type Viewport = { width: number; height: number };
type Box = Viewport & { left: number; top: number };

const unknownBox: Note = { code: "turned-shape-may-be-misplaced" };

/**
 * Folds an element's transform origin into its transform, because librsvg always uses the drawing's corner (CSS
 * Transforms 1, section 4). Keywords and percentages are relative to the viewport, or to the element's own box.
 */
export function aroundOrigin(element: XastElement, { viewport, notes }: { viewport: Viewport; notes: Note[] }): void {
  const { attributes } = element;
  const style = new Map(readDeclarations(attributes["style"] ?? "").map(({ property, value }) => [property, value]));
  const transform = style.get("transform") ?? attributes["transform"];
  const origin = style.get("transform-origin") ?? attributes["transform-origin"];
  const usesOwnBox = /^(fill|stroke|border|content)-box$/.test(
    style.get("transform-box") ?? attributes["transform-box"] ?? "",
  );
  if (!transform || transform === "none" || (!origin && !usesOwnBox)) return;
  const own = usesOwnBox ? ownBox(element) : undefined;
  if (usesOwnBox && !own) {
    notes.push(unknownBox);
    return;
  }
  // With its own reference box an element is transformed about that box's corner by default.
  const at = originIn(origin ?? "0 0", own ?? { left: 0, top: 0, ...viewport });
  if (!at) {
    notes.push(unknownBox);
    return;
  }
  const [x, y] = at;
  if (style.has("transform")) {
    style.set("transform", `translate(${x}px,${y}px) ${transform} translate(${-x}px,${-y}px)`);
    attributes["style"] = [...style].map(([property, value]) => `${property}:${value}`).join(";");
  } else attributes["transform"] = `translate(${x} ${y}) ${transform} translate(${-x} ${-y})`;
}

const keywords: Record<string, [axis: "x" | "y" | undefined, share: number]> = {
  left: ["x", 0],
  right: ["x", 1],
  top: ["y", 0],
  bottom: ["y", 1],
  center: [undefined, 0.5],
};

function originIn(written: string, { left, top, width, height }: Box): [number, number] | undefined {
  const parts = written
    .trim()
    .split(/[\s,]+/)
    .slice(0, 2);
  const [first = "50%", second = "50%"] = parts;
  const isSwapped = keywords[first]?.[0] === "y" || keywords[second]?.[0] === "x";
  const [across, down] = isSwapped ? [second, first] : [first, second];
  const place = (value: string, side: number) => {
    const keyword = keywords[value];
    if (keyword) return keyword[1] * side;
    const number = Number.parseFloat(inPixels(value));
    if (value.endsWith("%")) return (number / 100) * side;
    return /^[\d.+-]+(e[+-]?\d+)?(px)?$/i.test(inPixels(value)) ? number : Number.NaN;
  };
  const [x, y] = [left + place(across, width), top + place(down, height)];
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}

/** The bounding box of shapes whose attributes give it. */
function ownBox({ name, attributes }: XastElement): Box | undefined {
  const number = (attribute: string) => Number(inPixels(attributes[attribute] ?? "0").replace(/px$/, ""));
  const box = (left: number, top: number, width: number, height: number): Box | undefined =>
    [left, top, width, height].every(Number.isFinite) ? { left, top, width, height } : undefined;
  switch (name) {
    case "rect":
    case "image":
    case "foreignObject":
      return box(number("x"), number("y"), number("width"), number("height"));
    case "circle":
      return box(number("cx") - number("r"), number("cy") - number("r"), 2 * number("r"), 2 * number("r"));
    case "ellipse":
      return box(number("cx") - number("rx"), number("cy") - number("ry"), 2 * number("rx"), 2 * number("ry"));
    case "line":
      return boxAround([number("x1"), number("x2")], [number("y1"), number("y2")]);
    case "polygon":
    case "polyline": {
      const numbers = (attributes["points"]?.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
      return boxAround(
        numbers.filter((_, i) => i % 2 === 0),
        numbers.filter((_, i) => i % 2 === 1),
      );
    }
    default:
      return undefined;
  }
}

function boxAround(across: number[], down: number[]): Box | undefined {
  if (across.length === 0 || ![...across, ...down].every(Number.isFinite)) return undefined;
  const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [left, top] = [least(across), least(down)];
  return { left, top, width: most(across) - left, height: most(down) - top };
}
