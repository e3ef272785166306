import { expect, type Page } from "@playwright/test";
import { test } from "./journey.ts";
import { jpeg } from "./pictures.ts";
import { phone, studioOn } from "./studio-page.ts";

/** Sizes of the window, and the least share of its height that a portrait takes in any state. */
const windows = [
  { width: 1440, height: 900, least: 0.65 },
  { width: 1920, height: 1080, least: 0.7 },
  { ...phone, least: 0.48 },
];

/** The share of the window's height that the stage's largest picture takes. */
const share = (page: Page) =>
  page.locator("[data-plate]").evaluate((plate) => {
    const boxes = [...plate.querySelectorAll("img, canvas")].map((one) => one.getBoundingClientRect());
    return Math.max(0, ...boxes.map(({ height }) => height)) / window.innerHeight;
  });

for (const { least, ...viewport } of windows) {
  // product: picture-is-largest
  test(`a portrait takes at least ${100 * least}% of the window's height in every state, ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    const studio = studioOn(page);
    await studio.open();
    const expectLarge = () => expect.poll(() => share(page)).toBeGreaterThanOrEqual(least);
    await studio.choose(await jpeg("portrait.jpg", 1200, 1500));
    await expectLarge();
    expect(await page.getByRole("contentinfo").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Balanced" }).click();
    await expect(page.getByText("preview is free")).toBeVisible();
    await expectLarge();
    await page.getByRole("button", { name: "Crop and rotate" }).click();
    await expect(page.getByRole("button", { name: /^Crop box/ })).toBeVisible();
    await expectLarge();
    // What ends the editing view is in sight, and hides what submits.
    await expect(page.getByRole("button", { name: "Done" })).toBeInViewport({ ratio: 1 });
    await expect(studio.submit).toBeHidden();
    await page.getByRole("button", { name: "Done" }).click();
    await expect(studio.submit).toBeInViewport({ ratio: 1 });
    await studio.submit.click();
    await expect(page.getByRole("button", { name: "Download", exact: true })).toBeInViewport({ ratio: 1 });
    await expectLarge();
    await page.getByRole("button", { name: "Remove portrait.jpg" }).click();
    await expect(page.getByRole("contentinfo")).toBeVisible();
  });
}

test("a result is zoomed by the wheel about the pointer, panned by dragging, and by keys", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("harbour.jpg", 1600, 1200));
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  const after = page.getByRole("img", { name: "harbour.jpg, after" });
  await expect(after).toBeVisible();
  const scroller = page.getByRole("region", { name: "harbour.jpg", exact: true });
  const widthOf = async () => (await after.boundingBox())?.width ?? 0;
  const fitted = await widthOf();
  const box = (await scroller.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
  await page.mouse.wheel(0, -600);
  await expect.poll(widthOf).toBeGreaterThan(2 * fitted);
  // It grew about the pointer, which is left of the middle.
  const scrolled = () =>
    scroller.evaluate(({ scrollLeft, scrollWidth, clientWidth }) => scrollLeft / (scrollWidth - clientWidth));
  expect(await scrolled()).toBeLessThan(0.45);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4 - 150, box.y + box.height / 4 - 40, { steps: 3 });
  await page.mouse.up();
  const left = await scroller.evaluate(({ scrollLeft }) => scrollLeft);
  expect(left).toBeGreaterThan(100);
  await scroller.press("1");
  await expect.poll(widthOf).toBe(1600);
  await expect(page.getByRole("button", { name: "1:1" })).toHaveAttribute("aria-pressed", "true");
  await scroller.press("-");
  await expect(page.getByText("80%", { exact: true })).toBeVisible();
  await scroller.press("0");
  await expect.poll(widthOf).toBe(fitted);
});
