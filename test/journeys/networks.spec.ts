import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { type NamedPicture, png } from "./pictures.ts";
import { phone, restingBox, studioOn } from "./studio-page.ts";

/** The neural network takes many seconds on a busy machine. */
const withinMs = 120_000;

const ball: NamedPicture = {
  name: "ball.svg",
  mimeType: "image/svg+xml",
  buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">
    <defs><radialGradient id="g" cx=".4" cy=".35"><stop offset="0" stop-color="#f96"/><stop offset="1" stop-color="#812"/></radialGradient></defs>
    <rect width="100%" height="100%" fill="#cfd6da"/><circle cx="170" cy="120" r="70" fill="url(#g)"/></svg>`),
};

/** Moves two fingers apart on an element. */
async function pinch(page: Page, element: Locator): Promise<void> {
  const { x, y, width, height } = await restingBox(element);
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
  await expect(page.getByText("Background removed", { exact: true })).toBeVisible({ timeout: withinMs });
  // A cropped result has a different frame, so it cannot be laid over its original.
  await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toHaveCount(0);
  // The download matches what is shown.
  const save = async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
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

  // Edited by keyboard alone, at no cost: a spot is erased, undone and erased again.
  await page.getByRole("button", { name: "Edit the cut-out" }).press("Enter");
  await page.getByRole("button", { name: "Erase" }).press("Enter");
  // The editor starts with the result's settings.
  const cropping = page.getByRole("switch", { name: "Crop to the subject" });
  await expect(cropping).toBeChecked();
  await cropping.uncheck();
  const canvas = page.getByRole("application", { name: /Cut-out of ball.svg/ });
  await canvas.focus();
  // The wheel zooms in. The page scrolls only once the whole picture is visible again.
  await canvas.hover();
  await page.mouse.wheel(0, -200);
  await expect(page.getByRole("button", { name: "Fit" }).last()).toHaveAttribute("aria-pressed", "false");
  await page.mouse.wheel(0, 2000);
  await expect(page.getByRole("button", { name: "Fit" }).last()).toHaveAttribute("aria-pressed", "true");
  await pinch(page, canvas.locator("canvas"));
  await expect(page.getByRole("button", { name: "Fit" }).last()).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled(); // the pinch has not painted
  await page.getByRole("button", { name: "Fit" }).last().press("Enter");
  // With Restore, the areas that a brush would bring back are shown faintly.
  const cornerAlpha = () =>
    canvas.locator("canvas").evaluate((element: HTMLCanvasElement) =>
      element
        .getContext("2d")
        ?.getImageData(element.width / 2, Math.round(0.04 * element.height), 1, 1)
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
  // Escape asks for confirmation if changes would be lost.
  await page.keyboard.press("Escape");
  await expect(page.getByText("Press Esc again to discard your changes.")).toBeVisible();
  await page.getByRole("radio", { name: "Blur" }).check();
  await page.getByLabel("Soft shadow").fill("60");
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: "Apply" }).press("Enter");
  await expect(page.getByRole("button", { name: "Edit the cut-out" })).toBeVisible();
  const second = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
  const edited = await sharp(readFileSync(await (await second).path())).metadata();
  expect([edited.width, edited.height, edited.channels]).toEqual([320, 240, 3]);
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(1);
});

/** The page coordinates of a point of the ball's picture, 320 x 240. */
async function placeOn(canvas: Locator, [x, y]: readonly [number, number]): Promise<{ x: number; y: number }> {
  const box = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const scale = Math.min(box.width / 320, box.height / 240);
  return {
    x: box.x + box.width / 2 + (x - 160) * scale,
    y: box.y + box.height / 2 + (y - 120) * scale,
  };
}

async function paint(canvas: Locator, ...spots: [number, number][]): Promise<void> {
  const { mouse } = canvas.page();
  await canvas.scrollIntoViewIfNeeded();
  await restingBox(canvas);
  for (const [i, spot] of spots.entries()) {
    const { x, y } = await placeOn(canvas, spot);
    await mouse.move(x, y, { steps: 4 });
    if (i === 0) await mouse.down();
  }
  await mouse.up();
}

/** The canvas's alpha at a point of the ball's picture. */
const alphaOn = (canvas: Locator, [x, y]: readonly [number, number]) =>
  canvas.evaluate(
    (element: HTMLCanvasElement, at) => {
      const { width, height } = element;
      const scale = Math.min(width / 320, height / 240);
      const [left, top] = [width / 2 + (at.x - 160) * scale, height / 2 + (at.y - 120) * scale];
      return element.getContext("2d")?.getImageData(Math.round(left), Math.round(top), 1, 1).data.at(3);
    },
    { x, y },
  );

// product: smart-edges
test("a rough stroke brings a subject back to its edge and no further, on a phone too, and is undone at once", async ({
  page,
}) => {
  test.setTimeout(2 * withinMs);
  const studio = studioOn(page);
  await studio.open("#removeBackground");
  await studio.choose(ball);
  await studio.submit.click();
  await expect(page.getByText("Background removed", { exact: true })).toBeVisible({ timeout: withinMs });
  await page.route(/smart-stroke[.]worker/, (route) => route.abort());
  await page.getByRole("button", { name: "Edit the cut-out" }).click();
  await page.getByRole("button", { name: "Erase" }).click();
  const canvas = page.getByRole("application", { name: /Cut-out of ball.svg/ }).locator("canvas");
  const smart = page.getByRole("switch", { name: "Smart edges" });
  await expect(smart).toBeChecked();
  await expect(page.getByText("Paint roughly: the stroke follows the edges of the photo.")).toBeVisible();
  await expect(page.getByRole("slider", { name: "Hardness" })).toBeHidden();
  await page.getByRole("slider", { name: "Size" }).fill("100"); // a radius of 32 px
  // Without the worker the stroke stays as painted.
  const [beyond, ground, middle] = [
    [234, 120],
    [248, 120],
    [170, 100],
  ] as const;
  await paint(canvas, [170, 110], [172, 110]);
  await expect(page.getByText("No edges were found. The stroke was left as you painted it.")).toBeVisible();
  await expect.poll(() => alphaOn(canvas, middle)).toBe(0);
  expect(await alphaOn(canvas, beyond)).toBe(255);
  await page.unroute(/smart-stroke[.]worker/);
  // All of the ball is erased as painted.
  await smart.press("Space");
  await expect(smart).not.toBeChecked();
  await expect(page.getByRole("slider", { name: "Hardness" })).toBeVisible();
  await page.getByRole("slider", { name: "Hardness" }).fill("100");
  await paint(canvas, [170, 120], [130, 80], [210, 80], [210, 160], [130, 160], [130, 110]);
  await expect.poll(() => alphaOn(canvas, beyond)).toBe(0);
  await expect(page.getByText("No edges were found. The stroke was left as you painted it.")).toBeHidden();
  await smart.press("Space");

  for (const size of [page.viewportSize() ?? phone, phone]) {
    await page.setViewportSize(size);
    await page.getByRole("button", { name: "Restore" }).click();
    const faint = 115;
    await expect.poll(() => alphaOn(canvas, beyond)).toBe(faint);
    // `beyond` is 44 px from the stroke, whose radius is 32 px. The ground begins 6 px further out.
    await paint(canvas, [150, 90], [190, 90], [190, 150], [150, 150]);
    await expect.poll(() => alphaOn(canvas, beyond)).toBe(255);
    await expect(page.getByText("Finding edges")).toBeHidden();
    expect([await alphaOn(canvas, middle), await alphaOn(canvas, ground)]).toEqual([255, faint]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => alphaOn(canvas, beyond)).toBe(faint);
    expect(await alphaOn(canvas, middle)).toBe(faint);
  }
  await page.getByRole("button", { name: "Redo" }).click();
  expect(await violationsOn(page)).toEqual([]);
  // The submitted matte contains the stroke that followed the edges.
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("button", { name: "Edit the cut-out" })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
  const { data, info } = await sharp(readFileSync(await (await download).path()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const sent = ([x, y]: readonly [number, number]) => data[4 * (y * info.width + x) + 3];
  expect([info.width, sent(middle), sent(beyond), sent(ground)]).toEqual([320, 255, 255, 0]);
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
  await expect(page.getByText("AI-generated detail: check faces and text.").first()).toBeVisible();
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: "1:1" }).click();
  await expect(page.getByRole("button", { name: "1:1" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toBeVisible();
});
