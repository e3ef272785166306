import { DomainError } from "@tintype/contract";
import { type Drawing, type Part, readDrawing } from "./drawing-parts.ts";
import { costOfImages } from "./embedded.ts";

/** The limit on a drawing's estimated rendering time, ms; the engine aborts one that takes twice as long. */
const maxMs = 5000;
/** The limit on nesting. No drawing program comes near it, and it stops the recursion before the stack overflows. */
const deepest = 1000;
/** librsvg renders at most four megapixels at a time for libvips. */
const mostAtATimeMp = 4;

/**
 * Estimates a drawing's cost, including everything its references repeat, before any of it is rendered. Attack: ten
 * uses of ten uses of ten patterns reach any number of elements in a few lines.
 * @param areaMp size of the drawing, megapixels
 * @throws cannot-process when rendering it would take too long
 */
export async function checkDrawCost(plain: string, areaMp = 1): Promise<void> {
  if ((await drawCost(plain, Math.min(areaMp, mostAtATimeMp))) > maxMs)
    throw new DomainError("cannot-process", { reason: { code: "svg-too-slow" } });
}

/** Estimated time, ms. */
async function drawCost(plain: string, areaMp: number): Promise<number> {
  const images = await costOfImages(plain, (inner) => drawCost(inner, areaMp));
  const drawing = readDrawing(plain, { images, areaMp });
  return totalOf(drawing.root, { totals: new Map(), drawing, depth: 0 }).ms;
}

type Total = { ms: number; elements: number };
type CostContext = { drawing: Drawing; totals: Map<Part, Total>; depth: number };

const nothing: Total = { ms: 0, elements: 0 };

function totalOf(part: Part, { drawing, totals, depth }: CostContext): Total {
  const known = totals.get(part);
  if (known) return known;
  if (depth > deepest) return { ms: Number.POSITIVE_INFINITY, elements: 0 };
  totals.set(part, nothing); // a part that references itself is not rendered again
  const total = { ms: part.ms, elements: part.elements };
  const of = (inner: Part | undefined) => (inner ? totalOf(inner, { drawing, totals, depth: depth + 1 }) : nothing);
  const named = (id: string) => of(drawing.byId.get(id));
  const add = ({ ms, elements }: Total) => {
    total.ms += ms;
    total.elements += elements;
  };
  for (const inner of part.holds) add(of(inner));
  for (const [id, times] of part.named) total.ms += times * named(id).ms;
  for (const { id, inheritedPaints } of part.uses) {
    const shown = named(id);
    add(shown);
    for (const paint of inheritedPaints) total.ms += shown.elements * named(paint).ms;
    if (total.ms > maxMs) break;
  }
  totals.set(part, total);
  return total;
}
