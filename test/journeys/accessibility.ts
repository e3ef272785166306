import type { Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";
import { isDeep } from "../../packages/server/src/testing/deep.ts";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Each width and each theme once: colours do not depend on the width, and layout does not depend on the theme. */
const looks = [
  { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const;

/** How many states of a page axe has looked at. */
const seen = new WeakMap<Page, number>();

/** A commit takes one look of each state, the other one the next day, and a release both. */
function looksFor(page: Page): readonly (typeof looks)[number][] {
  const count = seen.get(page) ?? 0;
  seen.set(page, count + 1);
  return looks.filter((_, index) => isDeep || (index + count + new Date().getUTCDate()) % looks.length === 0);
}

/** axe's violations of WCAG 2.2 AA and best practices, one per line, for the light theme on desktop or the dark one on a phone. */
export async function violationsOn(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const { viewport, colorScheme } of looksFor(page)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Finish colour transitions, whose intermediate colours would fail.
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

/** Rules and results of a run of axe. Selectors are made of violations only: a page has thousands of passes. */
const options: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  // axe marks this rule as experimental and runs it only if it is named.
  rules: { "label-content-name-mismatch": { enabled: true } },
  resultTypes: ["violations"],
};

async function violationsNow(page: Page): Promise<string[]> {
  // axe reaches into a frame only if it is there too. Its script has half a megabyte, so a document gets it once.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(axe.source);
  const violations = await page.evaluate(
    async (options) => (await window.axe.run(document, options)).violations,
    options,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
