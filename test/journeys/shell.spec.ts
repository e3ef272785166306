import { gzipSync } from "node:zlib";
import { expect } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { jpeg, png } from "./pictures.ts";
import { studioOn } from "./studio-page.ts";

/** Decimal kilobytes of script that the home page may load before anything is done on it. */
const scriptBudgetBytes = 130_000;

test("the home page loads at most 130 KB of script, and nothing from elsewhere", async ({ page, baseURL }) => {
  const scripts: Promise<Buffer>[] = [];
  const elsewhere: string[] = [];
  page.on("response", (response) => {
    if (!response.url().startsWith(String(baseURL))) elsewhere.push(response.url());
    if (response.request().resourceType() === "script" || response.url().endsWith(".js")) scripts.push(response.body());
  });
  await page.goto("/", { waitUntil: "networkidle" });
  const sizes = (await Promise.all(scripts)).map((body) => gzipSync(body, { level: 9 }).length);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(scriptBudgetBytes);
  expect(elsewhere).toEqual([]);
});

for (const light of ["light", "dark"] as const)
  test(`axe finds nothing in the studio, empty and with results, in the ${light}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: light, reducedMotion: "reduce" });
    const studio = studioOn(page);
    await studio.open();
    await studio.submit.click();
    await expect(studio.obstacle).not.toBeEmpty();
    expect(await violationsOn(page)).toEqual([]);
    await studio.choose(await jpeg("a.jpg"), await png("b.png"));
    await page.getByRole("button", { name: "Fine" }).click();
    await studio.submit.click();
    await expect(page.getByRole("button", { name: "Download all" })).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
  });

test("axe finds nothing in the other tools' options", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#removeBackground");
  await page.getByText("More options").click();
  await page.getByRole("radio", { name: "Picture", exact: true }).check();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("radio", { name: "Colour", exact: true }).check();
  await expect(page.getByLabel("Colour of the background")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  for (const tool of ["Resize", "Upscale", "Convert"]) {
    await page.getByRole("tab", { name: tool }).click();
    await expect(page.getByRole("tabpanel", { name: tool })).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
  }
});

test("the light can be switched, and is there before the first paint the next time", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const paper = await ground();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await expect.poll(ground).not.toBe(paper);
  await page.reload({ waitUntil: "commit" });
  await page.waitForSelector("body");
  expect(await page.evaluate(() => document.documentElement.dataset["light"])).toBe("darkroom");
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("tintype.light"))).toBeNull();
});

test("the menu opens on a phone, closes by Escape, and leads on", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const menu = page.getByRole("button", { name: "Open menu" });
  await expect(async () => {
    await menu.click();
    await expect(page.getByRole("navigation", { name: "Menu" })).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
});

test("an unknown address is a 404 with a way home", async ({ page }) => {
  const answer = await page.goto("/nothing-here");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await page.getByRole("link", { name: "To the studio" }).click();
  await expect(page.getByRole("tablist")).toBeVisible();
});
