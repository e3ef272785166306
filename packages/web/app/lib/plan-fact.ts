import { locale, planFactMark } from "@tintype/contract";

/**
 * A plan's limit or price: during prerendering a placeholder, which the server fills in (contract's plan-facts.ts),
 * otherwise the value.
 */
export const planFact = (key: string, value: string | number): string =>
  typeof document === "undefined" ? planFactMark(key) : value.toLocaleString(locale);
