import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import sharp from "sharp";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { jpeg, png } from "./pictures.ts";
import { phone, restingBox, studioOn } from "./studio-page.ts";

// product: preview-unasked
test("a guest sees the whole result, a part of it and its size before any credit, offline and on again, and then pays for what was shown", async ({
  page,
  context,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("harbour.jpg", 1600, 1200));
  await page.getByRole("button", { name: "Balanced" }).click();
  const told = page.getByRole("status").filter({ hasText: "preview is free" });
  await expect(told).toContainText(/About .+ [KM]B, \d+% smaller/);
  const first = await told.textContent();
  await page.getByRole("slider", { name: "Smaller to finer" }).fill("30");
  await expect(told).not.toHaveText(first ?? "");
  for (const way of ["Side by side", "Difference", "Hold to compare"]) {
    if (way === "Difference") await page.getByRole("button", { name: "More ways to compare" }).press("Enter");
    await page.getByRole("button", { name: way }).press("Enter");
    await expect(page.getByRole("img", { name: "Preview of harbour.jpg, after" })).toBeVisible();
  }
  await page.getByRole("button", { name: "1:1" }).press("Enter");
  await expect(page.getByRole("img", { name: "Part of harbour.jpg, after" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Part shown: from/ })).toBeVisible();
  // While another quality is typed, the preview and its zoom stay.
  await page.getByRole("textbox", { name: "Quality" }).fill("");
  await expect(page.getByRole("status", { name: "Preview" })).toHaveText(
    "Please enter a valid quality between 1 and 100.",
  );
  await page.getByRole("textbox", { name: "Quality" }).fill("40");
  await expect(page.getByRole("img", { name: "Part of harbour.jpg, after" })).toBeVisible();
  await page.getByRole("button", { name: "Fit" }).press("Enter");
  await expect(page.getByRole("img", { name: "Preview of harbour.jpg, after" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize(phone);
  await context.setOffline(true);
  // The notice pushes the options down.
  const notice = page.getByText(/^You are offline[.] You can add images/);
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Fine" }).click();
  await expect(page.getByText("You are offline. The preview returns when you are back online.")).toBeVisible();
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await expect(told).toBeVisible();

  await page.getByRole("radio", { name: "File size" }).check();
  await page.getByRole("button", { name: "100 KB" }).click();
  await expect(told).toContainText("at quality");
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(0);
  await studio.submit.click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
  expect(readFileSync(await (await download).path()).length).toBeLessThanOrEqual(100_000);
});

// product: size-unreachable-told
test("a file size that cannot be reached is said while it is chosen and after a run, with two ways on", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("harbour.jpg", 1600, 1200));
  await page.getByRole("radio", { name: "File size" }).check();
  await page.getByLabel("Maximum size in KB").fill("9");
  const told = page.getByRole("status").filter({ hasText: "9 KB is too small for 1,600 × 1,200." });
  await expect(told.getByRole("button", { name: /^Allow \d+ KB$/ })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await studio.submit.click();
  const failed = "The maximum file size is too small for this image. At this size in pixels it needs";
  await expect(page.getByText(failed).first()).toBeVisible();
  await page.setViewportSize(phone);
  await told.getByRole("button", { name: "Make it smaller in pixels" }).press("Enter");
  await studio.submit.click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
  expect(readFileSync(await (await download).path()).length).toBeLessThanOrEqual(9000);
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(1);
});

test("a picture is turned and cropped by the keys before a tool, as one job for one credit", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#convert");
  await studio.choose(await png("board.png", 400, 300));
  await page.getByRole("button", { name: "Crop and rotate" }).press("Enter");
  await page.getByRole("button", { name: "Rotate right" }).press("Enter");
  await page.getByRole("button", { name: "1:1" }).press("Enter");
  const box = page.getByRole("button", { name: /^Crop box, 300 by 300 from 0, 50/ });
  await box.press("ArrowDown");
  await expect(page.getByRole("button", { name: /^Crop box, 300 by 300 from 0, 54/ })).toBeVisible();
  await page.getByLabel("Height").fill("120");
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await page.getByRole("radio", { name: "WebP" }).check();
  // The preview shows all of what is downloaded, with half of its pixels.
  const seen = page.getByRole("img", { name: "Preview of board.png, after" });
  await expect(seen).toBeVisible();
  const sidesSeen = () => seen.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(sidesSeen, { timeout: 60_000 }).toEqual([212, 85]);
  await expect(page.getByText("shown at 71%")).toBeVisible();
  await studio.submit.click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
  const file = await download;
  expect(file.suggestedFilename()).toBe("board.webp");
  expect(await sharp(readFileSync(await file.path())).metadata()).toMatchObject({
    format: "webp",
    width: 300,
    height: 120,
  });
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(1);
});

test("with a picture the studio takes the window, and a crop's edge is dragged close up, by the wheel", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await expect(page.getByText("One photo or 200 at a time.")).toBeInViewport();
  await studio.choose(await jpeg("harbour.jpg", 1600, 1200));
  const picture = page.getByRole("img", { name: "harbour.jpg" });
  await expect.poll(async () => (await picture.boundingBox())?.height ?? 0).toBeGreaterThan(500); // of 900
  await expect(studio.submit).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440);
  // A shortcut key does nothing outside the plate. A click on the picture moves the focus there.
  await studio.submit.press("f");
  await expect(page.getByRole("banner")).toBeVisible();
  await picture.click();
  await page.keyboard.press("f");
  await expect(page.getByRole("button", { name: "Leave full screen" })).toBeVisible();
  await expect(page.getByRole("banner")).toBeHidden();
  await page.getByRole("textbox", { name: "Quality" }).press("f");
  await expect(page.getByRole("banner")).toBeHidden();
  await page.getByRole("button", { name: "Leave full screen" }).press("Enter");
  await expect(page.getByRole("banner")).toBeVisible();

  await page.getByRole("button", { name: "Crop and rotate" }).click();
  const box = page.getByRole("button", { name: /^Crop box/ });
  const boundsOf = async () => (await box.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const before = await restingBox(box);
  const right = { x: before.x + before.width, y: before.y + before.height / 2 };
  await page.mouse.move(right.x - 5, right.y);
  await page.mouse.wheel(0, -400);
  await expect.poll(async () => (await boundsOf()).width).toBeGreaterThan(1.5 * before.width);
  const edge = page.locator("[data-grip=e]");
  await edge.hover();
  const at = await restingBox(edge);
  await page.mouse.move(at.x + 12, at.y + 12);
  await page.mouse.down();
  await page.mouse.move(at.x + 12 - 100, at.y + 12, { steps: 4 });
  await page.mouse.up();
  await expect(box).toHaveAccessibleName(/^Crop box, 1[45]\d\d by 1200 from 0, 0[.]/);
  await page.mouse.wheel(0, 4000);
  await expect.poll(async () => (await boundsOf()).height).toBeLessThan(1.05 * before.height);
  await page.getByRole("button", { name: "9:16" }).press("Enter");
  await expect(box).toHaveAccessibleName(/^Crop box, 675 by 1200/);
});

test("the crop takes the focus and gives it back, the preview is switched by its button, outlives a lost server, and makes way for a result, on a phone", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("harbour.jpg"));
  const toggle = page.getByRole("button", { name: "Live preview" });
  const region = page.getByRole("region", { name: "Live preview" });
  // It is on as soon as there is a picture. Nothing is estimated while the options are incomplete.
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("textbox", { name: "Quality" }).fill("");
  await expect(page.getByRole("status", { name: "Preview" })).toHaveText(
    "Please enter a valid quality between 1 and 100.",
  );
  await toggle.press("Enter");
  await expect(region).toBeHidden();
  await expect(toggle).toBeFocused();

  const crop = page.getByRole("button", { name: "Crop and rotate" });
  for (const leave of [
    () => page.getByRole("button", { name: "Done" }).press("Enter"),
    () => page.keyboard.press("Escape"),
  ]) {
    await crop.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: "Crop and rotate" })).toBeFocused();
    await leave();
    await expect(crop).toBeFocused();
  }

  await page.route("**/api/preview", (route) => route.abort());
  await toggle.press("Enter");
  await page.getByRole("button", { name: "Small" }).click();
  const again = page.getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible();
  await page.unroute("**/api/preview");
  await again.press("Enter");
  await expect(page.getByText("preview is free")).toBeVisible();

  const comparison = page.getByRole("slider", { name: "Before and after", exact: true });
  await studio.submit.click();
  await expect(studio.charged).toHaveText("1 credit · 4 of 5 left");
  await expect(region).toBeHidden();
  await expect(comparison).toBeVisible(); // it re-renders the buttons
  // The same again: the result is already here.
  await toggle.press("Enter");
  await expect(region).toBeVisible();
  await studio.submit.click();
  await expect(region).toBeHidden();
  await expect(comparison).toBeInViewport();
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(1);
});

// product: own-crop
test("a crop is one picture's own, another one is sent whole, and all can have the same", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#convert");
  await studio.choose(await png("board.png", 400, 300));
  await page.getByRole("button", { name: "Crop and rotate" }).press("Enter");
  await page.getByRole("button", { name: "1:1" }).press("Enter");
  await page.getByLabel("Height").fill("100");
  await page.getByLabel("Width").fill("100");
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await studio.choose(await png("wall.png", 800, 300));
  await page.setViewportSize(phone);
  // On a phone the strip that comes with the second one pushes the options down.
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();
  await page.getByRole("radio", { name: "WebP" }).check();
  await studio.submit.click();
  await expect(studio.charged).toHaveText("2 credits · 3 of 5 left");
  const sidesOf = async (name: string) => {
    const { width, height } = await sharp(readFileSync(await (await studio.download(name)).path())).metadata();
    return { width, height };
  };
  expect(await sidesOf("board.webp")).toEqual({ width: 100, height: 100 });
  expect(await sidesOf("wall.webp")).toEqual({ width: 800, height: 300 });

  await studio.item("board.webp").press("Enter");
  // The comparison re-renders the buttons.
  await expect(page.getByRole("region", { name: "board.webp", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Crop and rotate · on" }).press("Enter");
  await page.getByRole("button", { name: "Apply to all" }).press("Enter");
  await expect(page.getByText("Applied to 1 other image.")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await expect(studio.cost).toHaveText("1 credit · 3 of 5 left");
  await studio.submit.click();
  await expect(studio.charged).toHaveText("1 credit · 2 of 5 left");
  expect(await sidesOf("wall.webp")).toEqual({ width: 100, height: 100 });
});

// product: next-on-result
test("the next tool works on the result, the original can be used instead, and the tool before shows its result again", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open("#resize");
  await studio.choose(await png("board.png", 400, 300));
  await page.getByLabel("Width").fill("200");
  await studio.submit.click();
  await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
  await page.getByRole("tab", { name: "Convert" }).press("Enter");
  await expect(page.getByText("Using the result of Resize.")).toBeVisible();
  await expect(page.getByText(/· 200 × 150$/)).toBeVisible();
  await page.getByRole("tab", { name: "Resize" }).click();
  await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
  await page.getByRole("tab", { name: "Convert" }).click();
  await page.getByRole("button", { name: "Use the original" }).press("Enter");
  await expect(page.getByText(/· 400 × 300$/)).toBeVisible();
  await page.getByRole("tab", { name: "Resize" }).click();
  await page.getByRole("tab", { name: "Convert" }).click();
  await page.getByRole("radio", { name: "WebP" }).check();
  await studio.submit.click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
  expect(await sharp(readFileSync(await (await download).path())).metadata()).toMatchObject({
    format: "webp",
    width: 200,
    height: 150,
  });
});
