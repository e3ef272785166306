/** A rule without nesting and conditions: one selector and its declarations. */
export type FlatRule = { selector: string; declarations: Declaration[]; isLayered: boolean };
export type Declaration = { property: string; value: string; isImportant: boolean };

/** The viewport, px, against which media conditions are evaluated. */
export type Medium = { width: number; height: number };

/** Nested selector lists multiply; no program writes nearly this many. */
const maxRules = 20_000;

/**
 * A style sheet's rules in order, as a browser with a light colour scheme on a screen applies them: nested rules
 * expanded (CSS Nesting 1), conditions evaluated (`@media`, `@supports`), layers marked. Undefined for a sheet that
 * expands too far.
 */
export function flattenSheet(css: string, medium: Medium): FlatRule[] | undefined {
  const rules: FlatRule[] = [];
  const add = (block: string, { within, isLayered, depth }: RuleScope): boolean => {
    const declarations: Declaration[] = [];
    for (const { prelude, block: inner } of itemsOf(block)) {
      if (inner === undefined) {
        const declaration = readDeclaration(prelude);
        if (declaration) declarations.push(declaration);
      } else {
        for (const selector of within)
          if (declarations.length > 0) rules.push({ selector, declarations: [...declarations], isLayered });
        declarations.length = 0;
        if (depth > 20 || rules.length > maxRules || !addNested(prelude, inner, { within, isLayered, depth }))
          return false;
      }
    }
    for (const selector of within) if (declarations.length > 0) rules.push({ selector, declarations, isLayered });
    return rules.length <= maxRules;
  };
  const addNested = (prelude: string, inner: string, place: RuleScope): boolean => {
    const deeper = { ...place, depth: place.depth + 1 };
    const [, name, condition = ""] = /^@([\w-]+)\s*([\s\S]*)$/.exec(prelude) ?? [];
    if (name === "media") return !mediaApplies(condition, medium) || add(inner, deeper);
    if (name === "supports") return /^not\b/.test(condition) || add(inner, deeper);
    if (name === "layer") return add(inner, { ...deeper, isLayered: true });
    if (name !== undefined) return true; // fonts, animations, and unknown at-rules
    const within = splitList(prelude).flatMap((selector) => nest(selector, place.within));
    return within.length <= maxRules && add(inner, { ...deeper, within });
  };
  return add(css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, " ").replaceAll(/<!--|-->/g, " "), {
    within: [],
    isLayered: false,
    depth: 0,
  })
    ? rules
    : undefined;
}

type RuleScope = { within: string[]; isLayered: boolean; depth: number };

/** A nested selector is a descendant of its parent unless `&` says otherwise. */
function nest(selector: string, parents: string[]): string[] {
  if (parents.length === 0) return [selector.replaceAll("&", ":root")];
  return parents.map((parent) => (selector.includes("&") ? selector.replaceAll("&", parent) : `${parent} ${selector}`));
}

type Item = { prelude: string; block?: string };

/** Splits a block into declarations and nested blocks, in linear time. */
function itemsOf(css: string): Item[] {
  const items: Item[] = [];
  let [start, at] = [0, 0];
  for (; at < css.length; at++) {
    const character = css[at];
    if (character === '"' || character === "'" || character === "(" || character === "[") at = closing(css, at);
    else if (character === ";") {
      items.push({ prelude: css.slice(start, at).trim() });
      start = at + 1;
    } else if (character === "{") {
      const end = closing(css, at);
      items.push({ prelude: css.slice(start, at).trim(), block: css.slice(at + 1, end) });
      [at, start] = [end, end + 1];
    }
  }
  items.push({ prelude: css.slice(start).trim() });
  return items.filter(({ prelude, block }) => prelude !== "" || block !== undefined);
}

const closers: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** The index that closes the bracket or string at `from`; the end of the text if unclosed, as in CSS Syntax. */
function closing(css: string, from: number): number {
  const open: string[] = [];
  for (let at = from; at < css.length; at++) {
    const character = css.charAt(at);
    if (character === "\\") at++;
    else if (character === '"' || character === "'") {
      for (at++; at < css.length && css[at] !== character; at++) if (css[at] === "\\") at++;
    } else if (closers[character]) open.push(closers[character]);
    else if (character === open.at(-1)) open.pop();
    if (open.length === 0) return at;
  }
  return css.length;
}

/** Splits at commas outside brackets and strings. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (/["'([{]/.test(text.charAt(at))) at = closing(text, at);
    else if (text[at] === ",") {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()].filter((part) => part !== "");
}

export const readDeclarations = (css: string): Declaration[] =>
  itemsOf(css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, " ")).flatMap(({ prelude, block }) =>
    block === undefined ? (readDeclaration(prelude) ?? []) : [],
  );

function readDeclaration(text: string): Declaration | undefined {
  const [, name = "", written = ""] = /^([\w-]+)\s*:\s*([\s\S]*)$/.exec(text) ?? [];
  if (name === "") return undefined;
  const value = written.replace(/\s*!\s*important\s*$/i, "").trim();
  return { property: name.startsWith("--") ? name : name.toLowerCase(), value, isImportant: value !== written.trim() };
}

/** Media Queries 4, for a static drawing on a light screen. */
export function mediaApplies(condition: string, medium: Medium): boolean {
  const queries = splitList(condition);
  return queries.length === 0 || queries.some((query) => queryApplies(query, medium));
}

function queryApplies(query: string, medium: Medium): boolean {
  const isNegated = /^not\s/i.test(query);
  const parts = query.replace(/^(?:not|only)\s+/i, "").split(/\s+and\s+/i);
  return parts.every((part) => partApplies(part.trim().toLowerCase(), medium)) !== isNegated;
}

function partApplies(part: string, { width, height }: Medium): boolean {
  if (!part.startsWith("(")) return part === "screen" || part === "all";
  const [, name = "", value = ""] = /^\(\s*([\w-]+)\s*(?::\s*([^)]*?))?\s*\)$/.exec(part) ?? [];
  const bound = Number.parseFloat(value);
  const tests: Record<string, boolean> = {
    "min-width": width >= bound,
    "max-width": width <= bound,
    "min-height": height >= bound,
    "max-height": height <= bound,
    orientation: value === (width > height ? "landscape" : "portrait"),
    "prefers-color-scheme": value === "light",
    "prefers-reduced-motion": value === "no-preference",
    color: true,
  };
  return tests[name] ?? false;
}

/** Selectors 4, section 17: ids, then classes, attributes and pseudo-classes, then types, as one number. */
export function specificity(selector: string): number {
  const plain = selector.replaceAll(/:where\((?:[^()]|\([^()]*\))*\)/g, "").replaceAll(/"[^"]*"|'[^']*'/g, "");
  const count = (pattern: RegExp) => plain.match(pattern)?.length ?? 0;
  const ids = count(/#[\w-]+/g);
  const classes = count(/\.[A-Za-z_-][\w-]*|\[[^\]]*\]|(?<!:):(?!is\b|not\b|has\b)[\w-]+/g);
  const types = count(/(?<![\w.#:[=-])[A-Za-z][\w-]*(?![^[]*\])|::[\w-]+/g);
  return ids * 1e6 + classes * 1e3 + types;
}
