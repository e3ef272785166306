import { planFactMark } from "@tintype/contract";

/** A fact of the plans in a page: a mark while pages are built, which the server fills in (contract's plan-facts.ts); else the value. */
export const planFact = (key: string, value: string | number): string =>
  typeof document === "undefined" ? planFactMark(key) : value.toLocaleString("en");
