import { attribute } from "./pieces.ts";

/** The declarations of style sheets that matter to the cost of drawing, by the element that they may apply to. */
export type StyleRules = {
  /** Adds the rules of one `style` element. */
  add(css: string): void;
  /**
   * The declarations for an element, as text. A rule with a selector that is not understood applies to every element.
   */
  declarationsFor(name: string, tag: string): string;
  /** Selectors in all, and those whose matching inspects an element's siblings. */
  readonly count: { selectors: number; siblings: number };
};

const everything = "*";

export function createStyleRules(): StyleRules {
  const byKey = new Map<string, string>();
  const count = { selectors: 0, siblings: 0 };
  return {
    count,
    add(css) {
      for (const rule of css.split("}")) {
        const [declarations = "", selectors = ""] = rule.split("{").reverse();
        for (const selector of selectors.split(",")) {
          count.selectors++;
          if (/:nth|:last|:only|[~+]/.test(selector)) count.siblings++;
          if (!matters.test(declarations)) continue;
          const key = keyOf(selector);
          byKey.set(key, `${byKey.get(key) ?? ""};${declarations}`);
        }
      }
    },
    declarationsFor(name, tag) {
      if (byKey.size === 0) return "";
      const classes = attribute(tag, "class")?.split(/\s+/) ?? [];
      return [everything, name, `#${attribute(tag, "id")}`, ...classes.map((one) => `.${one}`)]
        .map((key) => byKey.get(key) ?? "")
        .join(";");
    },
  };
}

/** Declarations that make rendering expensive. */
const matters = /url\(|filter|opacity|blend|isolation|dasharray/;

/** The last part of a selector names the element: by its class, its id or its kind. */
function keyOf(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>~+]+/)
      .at(-1) ?? "";
  return /^[\w-]*([.#][\w-]+)/.exec(last)?.[1] ?? /^[\w-]+$/.exec(last)?.[0] ?? everything;
}
