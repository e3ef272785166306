import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const viewports = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const lights = ["light", "dark"] as const;
/** All that another light can change: the rest is judged once at each width. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** The findings of axe against WCAG 2.2 AA and good practice, a line each: wide and narrow, in both lights. */
export async function violationsOn(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const viewport of viewports)
    for (const colorScheme of lights) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // A colour on its way to the next one is neither.
      await page.evaluate(() =>
        Promise.allSettled(
          document
            .getAnimations()
            .filter(({ playState }) => playState === "running")
            .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
            .map(({ finished }) => finished),
        ),
      );
      const look = `${colorScheme}, ${viewport.width} px`;
      found.push(...(await violationsNow(page, colorScheme === "dark")).map((violation) => `${violation} (${look})`));
    }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return found;
}

async function violationsNow(page: Page, isColourOnly: boolean): Promise<string[]> {
  // axe then runs in the page itself. Otherwise it opens an empty tab each time, which takes the focus and the keys.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (isColourOnly) axe.withRules(colourRules);
  else
    axe
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
      // axe counts it among its experiments and leaves it out unless it is asked for by name.
      .options({ rules: { "label-content-name-mismatch": { enabled: true } } });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
