import type { Note } from "@tintype/contract";
import type { CustomPlugin, XastElement, XastRoot } from "svgo";
import { withoutCalc } from "./lengths.ts";
import { loadSvgo } from "./load-svgo.ts";
import {
  type Declaration,
  type FlatRule,
  flattenSheet,
  type Medium,
  mediaApplies,
  readDeclarations,
  specificity,
} from "./style-sheet.ts";
import { aroundOrigin, type Viewport } from "./transform-origin.ts";

/**
 * CSS that librsvg 2.63 ignores: variables, nesting, conditional rules, newer selectors, calc(), and transform origins.
 */
const needed =
  /var\(|calc\(|light-dark\(|transform-(?:origin|box)|@(?:media|supports|layer)|:(?:is|where|has)\(|[{;}][^{}"']*\{[^{}]*\{|&/;

/** Selectors times elements: matching more would take seconds. */
const maxMatches = 2e6;
const maxElements = 50_000;

/**
 * The drawing with each element's cascaded style (CSS Cascade 5) inlined in its `style` attribute, if its style sheets
 * use features that librsvg does not support. Any other drawing is unchanged.
 * @param notes receives a note on what could not be inlined
 */
export function withAppliedStyles(plain: string, notes: Note[]): string {
  if (!needed.test(plain)) return plain;
  try {
    return loadSvgo().optimize(plain, { plugins: [applyStyles(notes)] }).data;
  } catch {
    return plain; // invalid XML: librsvg reports it
  }
}

const applyStyles = (notes: Note[]): CustomPlugin => ({
  name: "applyStyles",
  fn: (root) => {
    const rules = readRules(root);
    const elements = [...elementsOf(root)];
    if (!rules || rules.length * elements.length > maxMatches || elements.length > maxElements)
      notes.push({ code: "style-sheet-too-long" });
    else applyTo(root, { rules, elements, notes });
    return {};
  },
});

function* elementsOf(root: XastRoot | XastElement): Generator<XastElement> {
  const waiting: (XastRoot | XastElement)[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === "element") yield node;
    const inside = node.children.filter((child) => child.type === "element");
    for (const child of inside.reverse()) waiting.push(child);
  }
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);

function readRules(root: XastRoot): FlatRule[] | undefined {
  const rules: FlatRule[] = [];
  const medium = mediumOf(root);
  for (const element of elementsOf(root)) {
    if (localName(element.name) !== "style") continue;
    const { type = "text/css", media = "" } = element.attributes;
    if (!/^(text\/css)?$/i.test(type.trim()) || !mediaApplies(media, medium)) continue;
    const css = element.children.map((child) => ("value" in child ? child.value : "")).join("");
    const flat = flattenSheet(css, medium);
    if (!flat) return undefined;
    rules.push(...flat);
  }
  return rules;
}

function mediumOf(root: XastRoot): Medium {
  const svg = root.children.find((child) => child.type === "element");
  const { width, height } = viewportOf(svg?.type === "element" ? svg.attributes : {}, { width: 300, height: 150 });
  return { width, height };
}

/** The size of the coordinate system within an `svg` element. */
function viewportOf(attributes: Record<string, string>, outer: Viewport): Viewport {
  const box = attributes["viewBox"]
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  if (box?.length === 4 && box.every(Number.isFinite)) return { width: box[2] ?? 0, height: box[3] ?? 0 };
  const side = (value: string | undefined, otherwise: number) => {
    const number = Number.parseFloat(value ?? "");
    if (!Number.isFinite(number)) return otherwise;
    return value?.trim().endsWith("%") ? (number * otherwise) / 100 : number;
  };
  return { width: side(attributes["width"], outer.width), height: side(attributes["height"], outer.height) };
}

type Ranked = Declaration & { rank: number };
type Styled = { declared: Map<string, Ranked> };
type Work = { rules: FlatRule[]; elements: XastElement[]; notes: Note[] };

function applyTo(root: XastRoot, { rules, elements, notes }: Work): void {
  const { querySelectorAll, mapNodesToParents } = loadSvgo();
  const parents = mapNodesToParents(root);
  const styled = new Map<XastElement, Styled>();
  const declare = (element: XastElement, declaration: Declaration, rank: number) => {
    const { declared } = styled.get(element) ?? { declared: new Map<string, Ranked>() };
    styled.set(element, { declared });
    const weight = rank + (declaration.isImportant ? 1e14 : 0);
    const before = declared.get(declaration.property);
    if (!before || before.rank <= weight) declared.set(declaration.property, { ...declaration, rank: weight });
  };
  for (const { selector, declarations, isLayered } of rules) {
    let found: ReturnType<typeof querySelectorAll> = [];
    try {
      found = querySelectorAll(root, selector, parents);
    } catch {
      continue; // a selector for a state that a static drawing never has, or an unknown one
    }
    const rank = specificity(selector) - (isLayered ? 1e12 : 0);
    for (const node of found)
      if (node.type === "element") for (const declaration of declarations) declare(node, declaration, rank);
  }
  for (const element of elements)
    for (const declaration of readDeclarations(element.attributes["style"] ?? "")) declare(element, declaration, 1e13);

  const customs = new Map<XastElement, Customs>();
  const viewports = new Map<XastElement, Viewport>();
  const budget = { characters: maxTotalLength };
  for (const element of elements) {
    const parent = parents.get(element);
    const above = parent?.type === "element" ? parent : undefined;
    const own = customsOf(styled.get(element), (above && customs.get(above)) ?? noCustoms, budget);
    customs.set(element, own);
    const outer = (above && viewports.get(above)) ?? mediumOf(root);
    viewports.set(element, localName(element.name) === "svg" ? viewportOf(element.attributes, outer) : outer);
    writeStyle(element, { styled: styled.get(element), customs: own, budget });
    aroundOrigin(element, { viewport: outer, notes });
  }
  for (const element of elements)
    element.children = element.children.filter(
      (child) => child.type !== "element" || localName(child.name) !== "style",
    );
}

type Customs = ReadonlyMap<string, string>;
const noCustoms: Customs = new Map();
/** Limits on the expansion of variables, in characters: per value and in total. */
const maxValueLength = 20_000;
const maxTotalLength = 5_000_000;
type Budget = { characters: number };

function customsOf(styled: Styled | undefined, inherited: Customs, budget: Budget): Customs {
  const own = [...(styled?.declared.values() ?? [])].filter(({ property }) => property.startsWith("--"));
  if (own.length === 0) return inherited;
  const written = new Map(own.map(({ property, value }) => [property, value]));
  const all = new Map(inherited);
  for (const [property, value] of written) {
    // A variable may refer to another one of the same element.
    const resolved = resolve(value, { get: (name) => written.get(name) ?? inherited.get(name), budget, depth: 0 });
    if (resolved === undefined) all.delete(property);
    else all.set(property, resolved);
  }
  return all;
}

type ResolveContext = { get: (name: string) => string | undefined; budget: Budget; depth: number };

/** Substitutes variables; undefined if one has no value (CSS Variables 1, section 3). */
function resolve(value: string, resolving: ResolveContext): string | undefined {
  const { get, budget, depth } = resolving;
  let result = value;
  for (let at = result.indexOf("var("); at >= 0; at = result.indexOf("var(", at)) {
    const end = closingParenthesis(result, at + 3);
    const [, name = "", fallback] = /^\s*(--[^\s,)]+)\s*(?:,([\s\S]*))?$/.exec(result.slice(at + 4, end)) ?? [];
    const written = get(name) ?? fallback?.trim();
    const inner =
      written === undefined || depth > 20 ? undefined : resolve(written, { ...resolving, depth: depth + 1 });
    if (inner === undefined) return undefined;
    result = result.slice(0, at) + inner + result.slice(end + 1);
    budget.characters -= inner.length;
    if (result.length > maxValueLength || budget.characters < 0) return undefined;
    at += inner.length;
  }
  return result;
}

function closingParenthesis(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}

/** Inherited properties: they inherit if a variable has no value. */
const inheritedProperty =
  /^(fill|stroke|color|font|text|marker|letter-spacing|word-spacing|visibility|cursor|direction|writing-mode|clip-rule|paint-order|pointer-events|dominant-baseline)/;

type StyleContext = { styled: Styled | undefined; customs: Customs; budget: Budget };

function writeStyle(element: XastElement, { styled, customs, budget }: StyleContext): void {
  const finish = (value: string) => {
    const resolved = value.includes("var(")
      ? resolve(value, { get: (name) => customs.get(name), budget, depth: 0 })
      : value;
    return resolved === undefined ? undefined : withoutCalc(lightOf(resolved));
  };
  for (const [name, value] of Object.entries(element.attributes)) {
    if (name === "style" || name === "d" || !/var\(|calc\(|light-dark\(/.test(value)) continue;
    const finished = finish(value);
    if (finished === undefined) delete element.attributes[name];
    else element.attributes[name] = finished;
  }
  if (!styled) return;
  const declarations = [...styled.declared.values()].flatMap(({ property, value }) => {
    if (property.startsWith("--")) return [];
    const finished = finish(value);
    if (finished !== undefined) return [`${property}:${finished}`];
    return inheritedProperty.test(property) ? [`${property}:inherit`] : [];
  });
  if (declarations.length > 0) element.attributes["style"] = declarations.join(";");
  else delete element.attributes["style"];
}

/** The first value of light-dark() is for light colour schemes (CSS Color 5). */
const lightOf = (value: string): string =>
  value.replaceAll(/light-dark\(\s*((?:[^(),]|\([^()]*\))*),(?:[^()]|\([^()]*\))*\)/gi, (_, light: string) =>
    light.trim(),
  );
