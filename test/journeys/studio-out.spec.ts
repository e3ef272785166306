import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { jpeg, png } from "./pictures.ts";
import { phone, studioOn } from "./studio-page.ts";

test("a shared recipe runs on two pictures, and its results go out under a pattern: as a ZIP and into a folder", async ({
  page,
}) => {
  // The origin private file system replaces the system's file dialog, which tests cannot operate.
  await page.addInitScript(() =>
    Object.assign(window, { showDirectoryPicker: () => navigator.storage.getDirectory() }),
  );
  const studio = studioOn(page);
  const steps = JSON.stringify([{ resize: { width: 200 } }, { convert: { target_format: "webp" } }]);
  await studio.open(`#recipe=${Buffer.from(steps).toString("base64url")}`);
  await expect(page.getByRole("region", { name: "Steps" }).getByText("Resize: 200 px wide")).toBeVisible();
  await expect(page).toHaveURL("/");
  await studio.choose(await jpeg("sea.jpg"), await png("hill.png"));
  await page.getByRole("button", { name: "Recipe", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Recipes" }).focus();
  await page.keyboard.press("Enter");
  const recipes = page.getByRole("dialog", { name: "Recipes" });
  await expect(recipes).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(recipes).toBeHidden();
  await page.getByRole("button", { name: "Recipe", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Save or share" }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Save or share" })).toContainText("1 credit per image");
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await studio.submit.click();
  await expect(page.getByRole("button", { name: "Download all" })).toBeVisible();

  await page.setViewportSize(phone);
  const more = page.getByRole("button", { name: "More for the result" });
  await more.press("Enter");
  await page.getByRole("button", { name: "Rename" }).press("Enter");
  const names = page.getByLabel("File names");
  await names.fill("{nam}");
  await expect(page.getByText(/^\{nam\} is unknown/)).toBeVisible();
  await names.fill("{name}-{width}w");
  await expect(page.getByText(/First: sea-200w[.]webp/)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all" }).click();
  // Names are stored in a ZIP as plain text.
  const zip = readFileSync(await (await download).path(), "latin1");
  for (const name of ["sea-200w.webp", "hill-200w.webp", "report.json"]) expect(zip).toContain(name);

  const inFolder = () =>
    page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const found: string[] = [];
      for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) found.push(name);
      return found.toSorted();
    });
  const save = page.getByRole("button", { name: "Save to folder" });
  await more.press("Enter");
  await save.click();
  await expect.poll(inFolder).toEqual(["hill-200w.webp", "sea-200w.webp"]);
  // Existing files in the folder are not overwritten.
  await more.press("Enter");
  await save.click();
  await expect.poll(inFolder).toHaveLength(4);
  expect(await inFolder()).toContain("sea-200w (2).webp");
});

test("one result is copied as a picture, shared where the system can, and carried out by a drag", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    const shared: string[] = [];
    Object.assign(window, { shared });
    navigator.canShare = () => true;
    navigator.share = async ({ files = [] } = {}) =>
      void shared.push(...files.map(({ name, type }) => `${name} ${type}`));
  });
  const studio = studioOn(page);
  await studio.open("#resize");
  await studio.choose(await jpeg("sea.jpg"));
  await page.getByLabel("Width").fill("90");
  await studio.submit.click();
  const download = page.getByRole("button", { name: "Download", exact: true });
  await expect(download).toBeVisible();
  await page.setViewportSize(phone);
  const more = page.getByRole("button", { name: "More for the result" });
  await more.press("Enter");
  await page.getByRole("button", { name: "Copy", exact: true }).press("Enter");
  const width = () =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const blob = await item?.getType("image/png").catch(() => undefined);
      return blob ? (await createImageBitmap(blob)).width : 0;
    });
  await expect.poll(width).toBe(90);
  await more.press("Enter");
  await page.getByRole("button", { name: /^Share/ }).click();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { shared: string[] }).shared))
    .toEqual(["sea.jpg image/jpeg"]);
  const carried = await download.evaluate((button) => {
    const dataTransfer = new DataTransfer();
    button.dispatchEvent(new DragEvent("dragstart", { dataTransfer, bubbles: true }));
    return dataTransfer.getData("DownloadURL");
  });
  expect(carried).toMatch(/^image\/jpeg:sea[.]jpg:blob:http/);
});

test("on a phone a step that is added comes into view, a screen above its button", async ({ page }) => {
  await page.setViewportSize(phone);
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("sea.jpg"));
  await page.getByRole("button", { name: "Balanced" }).click();
  await page.getByRole("button", { name: "Recipe", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Add a step" }).click();
  await expect(page.getByRole("region", { name: "Steps" }).getByText("Compress: quality 75")).toBeInViewport();
});
