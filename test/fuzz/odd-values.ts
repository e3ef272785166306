import { pick, type Random } from "./mutate.ts";

const words = ["", " ", "0", "-1", "1e9", "999999999999", "NaN", "null", "true", "[object Object]", "../../etc/passwd"];
/** Texts that request parsers tend to mishandle. */
export const odd = [
  ...words,
  "a\u0000b",
  "\ud800",
  "é".repeat(3000),
  "%00",
  "'; drop table jobs",
  "<b>",
  "{}",
  "x".repeat(9999),
];

/** Returns a value of the same shape, with some parts replaced by wrong ones. */
export function bend(value: unknown, random: Random): unknown {
  if (random() < 0.2) return pick(random, [...odd, 0, -1, 1e308, null, true, [], {}, [[[[]]]]]);
  if (Array.isArray(value)) return value.map((one) => bend(one, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bend(one, random)]));
}

/** Percent-encodes any text for a URL. A lone surrogate cannot be encoded. */
export function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return "x";
  }
}
