import { locale } from "./locale.ts";
import {
  billedIn,
  billingCycles,
  type Currency,
  formatPrice,
  limits,
  paidPlanNames,
  planLabels,
  planNames,
  priceOfPlan,
  soldCurrencies,
  type TierName,
  yearlySaving,
} from "./plan.ts";

// The plans are unknown when pages are built. Pages contain placeholders for names, prices and limits, which the server replaces
// when it starts.

/** Delimited by private-use characters: none of our texts contain them, and no serializer escapes them. */
export const planFactMark = (key: string): string => `\uE100${key}\uE101`;
const marks = /\uE100([\w.]+)\uE101/g;

/** Truncates a text without splitting a placeholder, which counts as one character. */
export const cutFacts = (text: string, length: number): string =>
  (text.match(/\uE100[\w.]+\uE101|./gsu) ?? []).slice(0, length).join("");

/** @throws Error for a placeholder that names no fact */
export function fillPlanFacts(text: string, written: (value: string) => string): string {
  if (text.search(marks) === -1) return text;
  const facts = planFacts();
  return text.replace(marks, (_, key: string) => {
    const value = facts.get(key);
    if (value === undefined) throw new Error(`There is no fact of plans called "${key}".`);
    return written(value);
  });
}

export const tierNames = ["guest", ...planNames] as const satisfies readonly TierName[];
const windowWords = { ever: "for good", month: "a month", day: "a day" } as const;
const currencyWords: Record<Currency, string> = {
  USD: "US dollars",
  INR: "Indian rupees",
  EUR: "euros",
  GBP: "pounds sterling",
  AUD: "Australian dollars",
  CAD: "Canadian dollars",
  SGD: "Singapore dollars",
  AED: "dirhams",
};

/** The current plans' facts as text, by keys such as `hobby.credits`, `mini.monthly` and `pro.label`. */
export function planFacts(): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  for (const tier of tierNames) {
    const { window, ...numbers } = limits[tier];
    for (const [name, value] of Object.entries(numbers)) facts.set(`${tier}.${name}`, value.toLocaleString(locale));
    facts.set(`${tier}.window`, windowWords[window]);
    facts.set(`${tier}.label`, tier === "guest" ? "Guest" : planLabels[tier]);
  }
  const { other } = billedIn;
  for (const plan of paidPlanNames) {
    for (const cycle of billingCycles) {
      const price = priceOfPlan({ plan, cycle, currency: other });
      facts.set(`${plan}.${cycle}`, formatPrice({ amountMinor: price, currency: other }));
    }
    facts.set(`${plan}.offer`, String(priceOfPlan({ plan, cycle: "monthly", currency: other }) / 100));
  }
  facts.set("offer.currency", other);
  facts.set("saving", yearlySaving());
  facts.set("currencies", listOf(soldCurrencies().map((currency) => currencyWords[currency])));
  facts.set("elsewhere", elsewhere());
  return facts;
}

/** `In India it is ...`: the prices in countries with another currency. Empty if all countries pay in one. */
function elsewhere(): string {
  const regions = new Intl.DisplayNames(locale, { type: "region" });
  return soldCurrencies()
    .slice(1)
    .map((currency) => {
      const countries = Object.entries(billedIn.countries).flatMap(([country, own]) =>
        own === currency ? (regions.of(country) ?? country) : [],
      );
      const prices = paidPlanNames.map((plan) =>
        billingCycles
          .map((cycle) => formatPrice({ amountMinor: priceOfPlan({ plan, cycle, currency }), currency }))
          .join(" or "),
      );
      return ` In ${listOf(countries, "and")} it is ${prices.join(", ")}.`;
    })
    .join("");
}

/** `listOf(["a", "b", "c"])` is `a, b or c`. */
const listOf = (words: readonly string[], last = "or"): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
