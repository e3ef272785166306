import {
  formats,
  guestCreditsPerNetworkDay,
  inputFormats,
  listLocale,
  maxSidePx,
  outputFormats,
  planFacts,
  scaleFactors,
  unnamedOperator,
} from "@tintype/contract";
import measured from "../../content/measured.json" with { type: "json" };
import { brand } from "../brand.ts";
import { planFact } from "../plan-fact.ts";
import { formatNumber } from "../size.ts";

/**
 * Limits and prices that content may name: `{{hobby.credits}}`, `{{mini.monthly}}`. The server fills them in from its
 * one table, so no page can state a number other than the one it enforces. Figures measured by bench/articles.ts are
 * under `measured`: `{{measured.photos}}`.
 */
export function collectFacts(): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  for (const [key, value] of planFacts()) facts.set(key, planFact(key, value));
  facts.set("name", brand.name);
  facts.set("operator", unnamedOperator.operator);
  facts.set("governing_law", unnamedOperator.governingLaw);
  facts.set("network.creditsPerDay", String(guestCreditsPerNetworkDay));
  facts.set("resize.maxSidePx", formatNumber(maxSidePx));
  facts.set("upscale.factors", listOf(scaleFactors.map(String), "disjunction"));
  facts.set("formats.in", listOf(inputFormats.map((format) => formats[format].label)));
  facts.set("formats.out", listOf(outputFormats.map((format) => formats[format].label)));
  for (const [name, value] of Object.entries(measured)) facts.set(`measured.${name}`, value);
  return facts;
}

/** @throws Error for an unknown fact, which fails the build */
export function fillFacts(source: string, facts: ReadonlyMap<string, string> = collectFacts()): string {
  return source.replace(/\{\{([^}]*)\}\}/g, (_, name: string) => {
    const value = facts.get(name.trim());
    if (value === undefined) throw new Error(`There is no fact called "${name}"`);
    return value;
  });
}

/** `listOf(["a", "b", "c"])` is `a, b and c`. */
const listOf = (words: readonly string[], type: Intl.ListFormatType = "conjunction"): string =>
  new Intl.ListFormat(listLocale, { type }).format(words);
