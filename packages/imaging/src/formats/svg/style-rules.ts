import { attribute } from "./pieces.ts";

/** The declarations of style sheets that affect the rendering cost, by the element that they may match. */
export type StyleRules = {
  /** Adds the rules of one `style` element. */
  add(css: string): void;
  /**
   * The declarations that may apply to an element, as text. A rule with an unsupported selector matches every element.
   */
  declarationsFor(name: string, tag: string): string;
  /** The number of selectors, and of those whose matching inspects an element's siblings. */
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

/** The key of a selector's last compound: its class, its id or its type. */
function keyOf(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>~+]+/)
      .at(-1) ?? "";
  return /^[\w-]*([.#][\w-]+)/.exec(last)?.[1] ?? /^[\w-]+$/.exec(last)?.[0] ?? everything;
}
