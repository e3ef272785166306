import { expect } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { jpeg, png } from "./pictures.ts";
import { phone, studioOn } from "./studio-page.ts";

const usedOn = async (page: import("@playwright/test").Page) =>
  (await (await page.request.get("/api/config")).json()).usage.used;

// product: start-at-once
test("started at once, new images need no further click once the options are complete", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#convert");
  const atOnce = page.getByRole("switch", { name: "Auto-run new images" });
  await expect(atOnce).not.toBeChecked();
  await atOnce.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("They start as you add them, 1 credit each.")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize(phone);
  // The target format is missing: nothing starts, and no error is shown.
  await studio.choose(await png("a.png"));
  await expect(page.getByRole("img", { name: "a.png" }).first()).toBeVisible();
  await expect(studio.submit).toHaveText("Submit");
  await expect(studio.obstacle.filter({ hasText: /./ })).toHaveCount(0);
  await page.getByRole("radio", { name: "WebP" }).check();
  await studio.choose(await png("b.png"));
  await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
  // The earlier image is not included.
  expect(await usedOn(page)).toBe(1);
  await page.reload();
  await expect(page.getByRole("switch", { name: "Auto-run new images" })).toBeChecked();
  await page.getByRole("switch", { name: "Auto-run new images" }).uncheck();
});

test("started at once beyond the credits, a guest sees the usual way on", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#compress");
  await page.getByRole("switch", { name: "Auto-run new images" }).check();
  await page.getByRole("button", { name: "Balanced" }).click();
  const pictures = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => jpeg(`${name}.jpg`)));
  // Not `choose`, which waits for the workspace: the page may leave for the pricing page before it is looked at.
  await page.getByLabel("Images", { exact: true }).first().setInputFiles(pictures);
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await usedOn(page)).toBe(0);
});

test.describe("with a finger and with keys", () => {
  test.use({ hasTouch: true });
  // product: file-cancelled-alone
  test("images of a running batch are cancelled alone, and the others are finished", async ({ page }) => {
    const studio = studioOn(page);
    await studio.open("#compress");
    // Noise, so that each takes a few seconds.
    const large = await jpeg("a.jpg", 3600, 2700);
    await studio.choose(...["a", "b", "c", "d"].map((name) => ({ ...large, name: `${name}.jpg` })));
    await page.getByRole("button", { name: "Balanced" }).click();
    await studio.submit.click();
    const strip = page.getByRole("list", { name: "Images" });
    const cancel = (name: string) => strip.getByRole("button", { name: `Cancel ${name}` });
    await cancel("d.jpg").press("Enter");
    await expect(strip.getByRole("button", { name: "Remove d.jpg" })).toBeVisible();
    await page.setViewportSize(phone);
    await cancel("c.jpg").tap();
    await expect(strip.getByRole("button", { name: "Remove c.jpg" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Download all" })).toBeVisible({ timeout: 120_000 });
    await expect(page.getByText("2 cancelled")).toBeVisible();
    for (const name of ["c.jpg", "d.jpg"]) await expect(studio.told).toContainText(`${name} cancelled.`);
    expect(await usedOn(page)).toBe(2);
    expect(await violationsOn(page)).toEqual([]);
    // The cancelled images can be run again.
    await page.getByRole("button", { name: /^Run the remaining 2$/ }).click();
    await expect.poll(() => usedOn(page), { timeout: 60_000 }).toBe(4);
  });
});
