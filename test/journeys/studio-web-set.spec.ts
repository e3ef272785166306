import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { jpeg } from "./pictures.ts";
import { phone, studioOn } from "./studio-page.ts";

test("a picture becomes a web set by keyboard alone, cropped as it is shown, for one credit", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("sea.jpg", 600, 400));
  await page.getByRole("button", { name: "Crop and rotate" }).click();
  await page.getByRole("button", { name: "Rotate right" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More tools" }).press("Enter");
  await page.getByRole("button", { name: "Web set" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Web set" });
  const widths = dialog.getByLabel("Widths");
  await expect(widths).toHaveValue("640,1280,1920");
  expect(await violationsOn(page)).toEqual([]);
  await widths.fill("many");
  await widths.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("whole numbers of pixels");
  await expect(widths).toBeFocused();
  await page.setViewportSize(phone);
  await widths.fill("100,200");
  const formats = dialog.getByRole("group", { name: "Formats" }).getByRole("checkbox");
  for (const [index, isChosen] of [true, true, true, false].entries())
    await expect(formats.nth(index)).toBeChecked({ checked: isChosen });
  for (const index of [1, 2, 3]) await formats.nth(index).press("Space");
  await dialog.getByLabel("Alternative text").fill("The sea");
  const download = page.waitForEvent("download");
  await dialog.getByLabel("Alternative text").press("Enter");
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("sea.zip");
  const zip = readFileSync(await saved.path(), "latin1");
  for (const name of ["sea-100.avif", "sea-200.png", "picture.html"]) expect(zip).toContain(name);
  expect(zip).not.toMatch(/[.](?:webp|jpg)/);
  await expect(dialog.getByRole("status")).toHaveText("sea.zip is downloaded.");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "More tools" })).toBeFocused();
  await expect.poll(async () => (await (await page.request.get("/api/config")).json()).usage.used).toBe(1);
});

test("a web set is made of the result that is shown", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#convert");
  await studio.choose(await jpeg("sea.jpg", 300, 200));
  await page.getByRole("radio", { name: "PNG" }).click();
  await studio.submit.click();
  await expect(page.getByRole("button", { name: /^Download/ })).toBeVisible();
  // The comparison re-renders the buttons.
  await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toBeVisible();
  const sent = page.waitForRequest("**/api/web-set/");
  await page.getByRole("button", { name: "More tools" }).press("Enter");
  await page.getByRole("button", { name: "Web set" }).click();
  const dialog = page.getByRole("dialog", { name: "Web set" });
  await expect(dialog.getByText("sea.png for a web page")).toBeVisible();
  await dialog.getByRole("button", { name: "Make web set" }).click();
  await sent;
  await expect(dialog.getByRole("status")).toHaveText("sea.zip is downloaded.");
});

test("a web set that is cancelled costs nothing, and one that is refused says why", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("sea.jpg", 1800, 1200));
  // It appears with the picture and shifts the button next to it.
  await expect(page.getByRole("button", { name: "Crop and rotate" })).toBeVisible();
  await page.getByRole("button", { name: "More tools" }).press("Enter");
  await page.getByRole("button", { name: "Web set" }).click();
  const dialog = page.getByRole("dialog", { name: "Web set" });
  await page.route("**/api/jobs/*/events", (route) => route.abort());
  await dialog.getByRole("button", { name: "Make web set" }).click();
  await expect(dialog.getByRole("progressbar")).toBeVisible();
  await expect(dialog.getByText("The connection was lost. Reconnecting...")).toBeVisible();
  await page.unroute("**/api/jobs/*/events");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.getByRole("button", { name: "Make web set" })).toBeEnabled();
  await expect.poll(async () => (await (await page.request.get("/api/config")).json()).usage.used).toBe(0);

  await page.route("**/api/web-set/", (route) =>
    route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify({ type: "/docs#error-out-of-credits", detail: "You have no credits left.", status: 403 }),
    }),
  );
  await dialog.getByRole("button", { name: "Make web set" }).click();
  await expect(dialog.getByRole("alert")).toContainText("You have no credits left.");
  await expect(dialog.getByRole("link", { name: "See plans" })).toBeVisible();
});
