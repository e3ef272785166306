import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Each width and each light once: colours do not depend on the width, nor the layout on the light. */
const looks = [
  { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const;

/** The findings of axe against WCAG 2.2 AA and good practice, a line each: wide in light colours, narrow in dark ones. */
export async function violationsOn(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const { viewport, colorScheme } of looks) {
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
    found.push(
      ...(await violationsNow(page)).map((violation) => `${violation} (${colorScheme}, ${viewport.width} px)`),
    );
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return found;
}

async function violationsNow(page: Page): Promise<string[]> {
  // axe then runs in the page itself. Otherwise it opens an empty tab each time, which takes the focus and the keys.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    // axe counts it among its experiments and leaves it out unless it is asked for by name.
    .options({ rules: { "label-content-name-mismatch": { enabled: true } } });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
