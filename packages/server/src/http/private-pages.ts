import { endpoints } from "@tintype/contract/schemas";

// The pages are built once, for services that sell plans. A private installation shows them without what they say about that.

/** Questions of `/faqs`, also on the home page. */
const soldQuestions = [
  "do-i-need-an-account",
  "what-is-a-credit",
  "how-many-credits-do-i-get-and-when-do-they-reset",
  "how-large-can-an-image-be-and-how-many-can-i-upload-at-once",
  "what-do-the-plans-cost",
  "can-i-cancel-and-do-i-get-money-back",
];

/** Hides it before the first paint: the script that hydrates a page must find what was built. */
export const privateStyle = `${[
  ".credits",
  'a[href="/pricing"]',
  'li:has(>a[href="/pricing"])',
  // Of the API reference, whose list of calls has an entry for each.
  ...Object.entries(endpoints).flatMap(([name, row]) => ("onlyIn" in row ? [`li:has(>a[href="#${name}"])`] : [])),
  ...["limits", "subscriptions"].flatMap((id) => [`section[aria-labelledby="${id}"]`, `a[href="#${id}"]`]),
  ...soldQuestions.flatMap((id) => [`details#${id}`, `li:has(>a[href="/faqs#${id}"])`]),
].join()}{display:none!important}`;

/** A built text for programs without its lines about credits and plans. */
export function withoutSale(text: string, file: string): string {
  if (file === "sitemap.xml") return text.replace(/^.*\/pricing<.*\n/m, "");
  if (file !== "llms.txt") return text;
  return text
    .replace(" One image costs one credit.", "")
    .replace(/^Without an account: .*\n/m, "")
    .replace(/^- \[Pricing\].*\n/m, "");
}
