import { costs } from "./element-cost.ts";
import { addressIn, attribute, type Piece, readPieces } from "./pieces.ts";
import { createStyleRules, type StyleRules } from "./style-rules.ts";

/** An element that has an id or is a definition, with its descendants up to the next such element. */
export type Part = {
  /** Estimated rendering time, ms, without the parts it contains or references. */
  ms: number;
  elements: number;
  /** Ids referenced by properties and attributes, and how often each is rendered. */
  named: Map<string, number>;
  /** Parts repeated by `use`; each of their elements is rendered with the paints and markers of `inheritedPaints`. */
  uses: { id: string; inheritedPaints: string[] }[];
  holds: Part[];
};

export type Drawing = { root: Part; byId: Map<string, Part> };

type Facts = {
  /** Megapixels rendered at a time. */
  areaMp: number;
  /** Estimated time of each embedded image, ms, by its URL. */
  images: ReadonlyMap<string, number>;
};
type ReadContext = Drawing & Facts & { rules: StyleRules; elements: number };
type Open = { part: Part; inheritedPaints: string[]; dashes: string | undefined };

/** This many take 5 s however simple they are. */
const maxElements = 330_000;

/** Splits a drawing into parts and estimates each on its own. */
export function readDrawing(plain: string, facts: Facts): Drawing {
  const rules = readRules(plain);
  const reading: ReadContext = { ...facts, root: newPart(), byId: new Map(), rules, elements: 0 };
  const open: Open[] = [{ part: reading.root, inheritedPaints: [], dashes: undefined }];
  let characters = 0;
  for (const piece of readPieces(plain)) {
    if (reading.elements > maxElements) return { ...reading, root: { ...newPart(), ms: Number.POSITIVE_INFINITY } };
    const around = open.at(-1) as Open; // the first is never popped
    if (piece.kind === "text") {
      if (!piece.undrawnIn) characters += piece.text.trim().length;
      continue;
    }
    if (characters > 0) around.part.ms += costs.run(characters);
    characters = 0;
    if (piece.kind === "close") {
      if (open.length > 1) open.pop();
    } else {
      const inside = addElement(piece, { around, reading });
      if (!piece.isEmpty) open.push(inside);
    }
  }
  reading.root.ms += costs.run(characters) + costs.matching(rules.count, reading.elements);
  return reading;
}

function readRules(plain: string): StyleRules {
  const rules = createStyleRules();
  if (/<[\w.:-]*style[\s>]/.test(plain))
    for (const piece of readPieces(plain))
      if (piece.kind === "text" && piece.undrawnIn === "style") rules.add(piece.text);
  return rules;
}

const newPart = (): Part => ({ ms: 0, elements: 0, named: new Map(), uses: [], holds: [] });

/** Rendered only where referenced. */
const definition = /^(defs|symbol|pattern|mask|marker|clipPath|filter|linearGradient|radialGradient)$/;

/** Returns the part that the element's descendants belong to. */
function addElement(
  { name, tag }: Extract<Piece, { kind: "open" }>,
  { around, reading }: { around: Open; reading: ReadContext },
): Open {
  const { byId, rules, images, areaMp } = reading;
  const id = attribute(tag, "id");
  const isDefinition = definition.test(name);
  const part = id === undefined && !isDefinition ? around.part : newPart();
  if (part !== around.part && !isDefinition) around.part.holds.push(part);
  if (id !== undefined && !byId.has(id)) byId.set(id, part);
  reading.elements++;
  part.elements++;

  const declared = `${tag};${rules.declarationsFor(name, tag)}`;
  const points = costs.points(tag);
  part.ms += costs.element + points * costs.point + costs.layers(declared) * areaMp;
  if (name.startsWith("fe")) part.ms += costs.filterStep(name, tag) * areaMp;
  const dashes = /stroke-dasharray\s*[=:]\s*["']?([^"';]*)/.exec(declared)?.[1] ?? around.dashes;
  if (dashes) part.ms += costs.dashes(tag, dashes);

  const names = namesIn(declared);
  const inheritedPaints = [
    ...new Set([...around.inheritedPaints, ...names.filter(isInherited).map((named) => named.id)]),
  ];
  if (inheritedPaints.length > maxInheritedPaints) part.ms = Number.POSITIVE_INFINITY;
  const count = (named: string, times = 1) => part.named.set(named, (part.named.get(named) ?? 0) + times);
  for (const named of names) if (!isInherited(named)) count(named.id);
  // A marker is rendered at each point.
  for (const named of inheritedPaints) count(named, Math.max(1, points));
  const target = addressIn(tag);
  if (target?.startsWith("#")) {
    if (name === "use") part.uses.push({ id: target.slice(1), inheritedPaints });
    else count(target.slice(1));
  } else if (target) part.ms += images.get(target) ?? 0;
  return { part, inheritedPaints, dashes };
}

/** Each one counts for every descendant; no drawing program comes near this. */
const maxInheritedPaints = 100;

type Named = { property: string; id: string };

const namesIn = (declared: string): Named[] =>
  declared.includes("url(")
    ? [...declared.matchAll(/(?<![\w-])([\w-]+)\s*[=:]\s*["']?[^"':;=]*?url\(\s*["']?#([^"')]+)/g)].map(
        ([, property = "", id = ""]) => ({ property, id: id.trim() }),
      )
    : [];

/** Paints and markers are inherited by descendants, and by what a `use` references. */
const isInherited = ({ property }: Named) => /^(fill|stroke|marker)/.test(property);
