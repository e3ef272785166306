import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { type NamedPicture, png } from "./pictures.ts";
import { phone, studioOn } from "./studio-page.ts";

/** The network's seconds are many on a machine that is busy. */
const withinMs = 120_000;

const ball: NamedPicture = {
  name: "ball.svg",
  mimeType: "image/svg+xml",
  buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">
    <defs><radialGradient id="g" cx=".4" cy=".35"><stop offset="0" stop-color="#f96"/><stop offset="1" stop-color="#812"/></radialGradient></defs>
    <rect width="100%" height="100%" fill="#cfd6da"/><circle cx="170" cy="120" r="70" fill="url(#g)"/></svg>`),
};

/** Two fingers on an element move apart. */
async function pinch(page: Page, element: Locator): Promise<void> {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const client = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove", apart: number) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: [-apart, apart].map((by, id) => ({ id, x: x + width / 2 + by, y: y + height / 2 })),
    });
  await touch("touchStart", 20);
  for (const apart of [30, 50, 80]) await touch("touchMove", apart);
  await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

// product: background-seen
test("a guest cuts a subject out: the model is being loaded, then it stands on any ground, and comes as PNG", async ({
  page,
}) => {
  test.setTimeout(2 * withinMs);
  const studio = studioOn(page);
  await studio.open("#removeBackground");
  await studio.choose(ball);
  await page.getByRole("radio", { name: "Image", exact: true }).check();
  await studio.submit.click();
  await expect(studio.obstacle).toHaveText("Please choose a background image.");
  await page.getByRole("radio", { name: "Transparent", exact: true }).check();
  await page.getByText("More options").click();
  await page.getByRole("switch", { name: "Crop to the subject" }).check();
  await studio.submit.click();
  await expect(page.getByText("Loading the model").first()).toBeVisible({ timeout: withinMs });
  await expect(page.getByText("Cut out", { exact: true })).toBeVisible({ timeout: withinMs });
  // A cropped result shows another frame: it cannot lie over its original.
  await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toHaveCount(0);
  // What is seen is what is downloaded.
  const save = async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).click();
    return download;
  };
  await page.getByRole("button", { name: "White" }).press("Enter");
  await expect(page.getByRole("button", { name: "White" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("status").filter({ hasText: "Applying" })).toBeHidden();
  await expect(page.getByRole("button", { name: "White" })).toBeFocused();
  const white = await sharp(readFileSync(await (await save()).path()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([white.info.channels, ...white.data.subarray(0, 3)]).toEqual([3, 255, 255, 255]);
  await page.getByRole("button", { name: "Transparent", exact: true }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Applying" })).toBeHidden();

  const file = await save();
  expect(file.suggestedFilename()).toBe("ball_bgremoved.png");
  const { data, info } = await sharp(readFileSync(await file.path()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(4);
  for (const side of [info.width, info.height]) expect(Math.abs(side - 154)).toBeLessThan(6);
  const alphaAt = (x: number, y: number) => data[4 * (Math.round(y) * info.width + Math.round(x)) + 3];
  expect(alphaAt(2, 2)).toBe(0);
  expect(alphaAt(info.width / 2, info.height / 2)).toBe(255);

  // Edited by the keys alone, at no cost: a spot is erased, taken back, and erased again.
  await page.getByRole("button", { name: "Edit the cut-out" }).press("Enter");
  await page.getByRole("button", { name: "Erase" }).press("Enter");
  // It begins as the result stands.
  const cropping = page.getByRole("region", { name: "Cut-out" }).getByRole("switch", { name: "Crop to the subject" });
  await expect(cropping).toBeChecked();
  await cropping.uncheck();
  const canvas = page.getByRole("application", { name: /Cut-out of ball.svg/ });
  await canvas.focus();
  // Closer by the wheel, where the page scrolls only once it is whole again.
  await canvas.hover();
  await page.mouse.wheel(0, -200);
  await expect(page.getByRole("button", { name: "Fit" }).last()).toHaveAttribute("aria-pressed", "false");
  await page.mouse.wheel(0, 2000);
  await expect(page.getByRole("button", { name: "Fit" }).last()).toHaveAttribute("aria-pressed", "true");
  await pinch(page, canvas.locator("canvas"));
  await expect(page.getByRole("button", { name: "Fit" }).last()).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled(); // no finger has painted
  await page.getByRole("button", { name: "Fit" }).last().press("Enter");
  // What a brush would bring back is seen under Restore, faintly.
  const cornerAlpha = () =>
    canvas.locator("canvas").evaluate((element: HTMLCanvasElement) =>
      element
        .getContext("2d")
        ?.getImageData(element.width / 2, 4, 1, 1)
        .data.at(3),
    );
  await expect.poll(cornerAlpha).toBe(0);
  await page.getByRole("button", { name: "Restore" }).press("Enter");
  await expect.poll(cornerAlpha).toBe(115);
  await page.getByRole("button", { name: "Erase" }).press("Enter");
  await canvas.focus();
  for (const key of ["Space", "Shift+ArrowRight", "Control+z", "Control+z"]) await page.keyboard.press(key);
  await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();
  await page.getByRole("button", { name: "Redo" }).press("Enter");
  // Escape asks first where something would be lost.
  await page.keyboard.press("Escape");
  await expect(page.getByText("Press Esc again to discard your changes.")).toBeVisible();
  await page.getByRole("radio", { name: "Blur" }).check();
  await page.getByLabel("Soft shadow").fill("60");
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: "Apply" }).press("Enter");
  await expect(page.getByRole("button", { name: "Edit the cut-out" })).toBeVisible();
  const second = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).click();
  const edited = await sharp(readFileSync(await (await second).path())).metadata();
  expect([edited.width, edited.height, edited.channels]).toEqual([320, 240, 3]);
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(1);
});

test("a guest enlarges a picture, is told how large it gets, and looks at it pixel by pixel", async ({ page }) => {
  test.setTimeout(2 * withinMs);
  const studio = studioOn(page);
  await studio.open("#upscale");
  await studio.choose(await png("small.png", 160, 120));
  await page.getByRole("radio", { name: "2×" }).check();
  await expect(page.getByText("160 × 120 becomes 320 × 240 pixels.")).toBeVisible();
  await page.getByLabel("Model").selectOption("compressed");
  await studio.submit.click();
  await expect(page.getByText("320 × 240", { exact: true }).first()).toBeVisible({ timeout: withinMs });
  await expect(page.getByText("Drawn by a network: text and faces may differ.").first()).toBeVisible();
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: "1:1" }).click();
  await expect(page.getByRole("button", { name: "1:1" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toBeVisible();
});
