import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { jpeg } from "./pictures.ts";
import { phone, restingBox, studioOn } from "./studio-page.ts";

const names = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"];
/** The listbox distinguishes its options from those of selects. */
const grid = (page: Page) => page.getByRole("listbox", { name: "Images" });
const pictures = () => Promise.all(names.map((name, index) => jpeg(name, 320, 240 + index)));

// product: selection
test("pictures are selected in the grid by mouse, box and keys, and the tool works on them alone", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(...(await pictures()));
  await page.getByRole("button", { name: "Balanced" }).click();
  await page.getByRole("button", { name: "Grid" }).click();
  const item = (name: string) => grid(page).getByRole("option", { name: new RegExp(`^${name}`) });
  const told = page.getByRole("status").filter({ hasText: "selected" });
  await expect(told).toHaveText(/^None selected: Submit runs all \d+$/);
  await item("a.jpg").click();
  await item("c.jpg").click({ modifiers: ["Shift"] });
  await expect(told).toHaveText("3 of 4 selected");
  await item("b.jpg").click({ modifiers: ["Control"] });
  await expect(told).toHaveText("2 of 4 selected");
  await expect(page.getByText("2 of 4 selected · 2 credits · 5 of 5 left")).toBeVisible();

  const [first, last] = [await restingBox(item("a.jpg")), await restingBox(item("b.jpg"))];
  await page.mouse.move(last.x + last.width / 2, last.y + last.height + 40);
  await page.mouse.down();
  await page.mouse.move(first.x + 10, first.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect(told).toHaveText("2 of 4 selected");
  await expect(item("b.jpg")).toHaveAttribute("aria-selected", "true");

  await item("b.jpg").focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(told).toHaveText("3 of 4 selected");
  await expect(item("d.jpg")).toBeFocused();
  await page.getByRole("button", { name: "Custom options" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Custom options" });
  await expect(dialog).toContainText("Compress for 3 images only.");
  await dialog.getByRole("button", { name: "Small" }).click();
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Use for these images" }).press("Enter");
  await expect(page.getByRole("button", { name: "Custom options" })).toBeFocused();
  await expect(item("d.jpg")).toHaveAccessibleName(/^d.jpg .*KB ?, with its own options$/);
  expect(await violationsOn(page)).toEqual([]);

  await studio.submit.click();
  await expect(studio.charged).toHaveText("3 credits · 2 of 5 left");
  await expect(item("b.jpg")).toHaveAccessibleName(/^b.jpg .*smaller ?, with its own options, done$/);
  await expect(item("a.jpg")).toHaveAccessibleName(/^a.jpg Skipped$/);

  await item("a.jpg").click();
  await page.keyboard.press("Delete");
  await expect(grid(page).getByRole("option")).toHaveCount(3);
  await expect(item("b.jpg")).toBeFocused();
  await page.keyboard.press("Control+a");
  await expect(told).toHaveText("3 of 3 selected");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Live preview" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Show d.jpg, with its own options" })).toHaveAttribute(
    "aria-current",
    "true",
  );
  // Submit still applies to the selection, and says so.
  await expect(page.getByText(/^3 of 3 selected · /)).toBeVisible();
  await page.getByRole("button", { name: "Grid · 3 selected" }).press("Enter");
  await page.getByRole("button", { name: "Select none" }).press("Enter");
  await expect(told).toHaveText(/^None selected: Submit runs all \d+$/);
});

test.describe("on a phone", () => {
  test.use({ viewport: phone, hasTouch: true });
  test("the empty plate asks for photos, taps select pictures, and the selected ones are removed and come back", async ({
    page,
  }) => {
    const studio = studioOn(page);
    await studio.open();
    await expect(page.getByText("Choose photos")).toBeVisible();
    await expect(page.getByText("Drop images here")).toBeHidden();
    await expect(page.getByText("or paste them")).toBeHidden();
    await studio.choose(...(await pictures()));
    await page.getByRole("button", { name: "Grid" }).tap();
    await page.getByRole("option", { name: /^b.jpg/ }).tap();
    await page.getByRole("option", { name: /^c.jpg/ }).tap();
    const told = page.getByRole("status").filter({ hasText: "selected" });
    await expect(told).toHaveText("2 of 4 selected");
    await page.getByRole("button", { name: "Remove selected" }).tap();
    await expect(grid(page).getByRole("option")).toHaveCount(2);
    await expect(told).toHaveText(/^None selected: Submit runs all \d+$/);
    await page.getByRole("button", { name: "Undo" }).tap();
    await expect(grid(page).getByRole("option")).toHaveCount(4);
    await expect(told).toHaveText("2 of 4 selected");
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  });
});

test("thumbnails of photos that lie on their side or head stand upright", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  // Red on the left, and after the turn that EXIF asks for: above, below and on the right.
  const red = await sharp({ create: { width: 800, height: 1200, channels: 3, background: "#f00" } })
    .png()
    .toBuffer();
  const photo = (orientation: number) =>
    sharp({ create: { width: 1600, height: 1200, channels: 3, background: "#00f" } })
      .composite([{ input: red, left: 0, top: 0 }])
      .jpeg()
      .withMetadata({ orientation })
      .toBuffer();
  const turns = [6, 8, 3];
  await studio.choose(
    ...(await Promise.all(
      turns.map(async (turn) => ({ name: `${turn}.jpg`, mimeType: "image/jpeg", buffer: await photo(turn) })),
    )),
  );
  const thumbnails = page.locator("ul[aria-label=Images] img");
  await expect(thumbnails).toHaveCount(turns.length);
  const seen = await thumbnails.evaluateAll((all) =>
    Promise.all(
      all.map(async (one) => {
        const image = one as HTMLImageElement; // by the selector
        await image.decode();
        const { naturalWidth: width, naturalHeight: height } = image;
        const context = new OffscreenCanvas(width, height).getContext("2d");
        context?.drawImage(image, 0, 0);
        const isRed = (x: number, y: number) => (context?.getImageData(x, y, 1, 1).data[0] ?? 0) > 128;
        const corners = [isRed(9, 9), isRed(width - 9, 9), isRed(9, height - 9), isRed(width - 9, height - 9)];
        return { width, height, corners };
      }),
    ),
  );
  expect(seen).toEqual([
    { width: 192, height: 256, corners: [true, true, false, false] },
    { width: 192, height: 256, corners: [false, false, true, true] },
    { width: 256, height: 192, corners: [false, true, false, true] },
  ]);
});
