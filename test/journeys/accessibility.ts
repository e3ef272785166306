import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** The findings of axe against WCAG 2.2 AA and good practice, a line each. */
export async function violationsOn(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    // axe counts it among its experiments and leaves it out unless it is asked for by name.
    .options({ rules: { "label-content-name-mismatch": { enabled: true } } })
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
