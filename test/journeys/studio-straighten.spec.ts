import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import sharp from "sharp";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import type { NamedPicture } from "./pictures.ts";
import { phone, restingBox, studioOn } from "./studio-page.ts";

/** A horizon that slopes down to the right by 5 degrees, light above and dark below. */
async function tiltedSea(name: string): Promise<NamedPicture> {
  const sea = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#dfe8f2"/>
    <rect x="-200" y="200" width="1000" height="600" fill="#12395c" transform="rotate(5 300 200)"/></svg>`;
  return { name, mimeType: "image/png", buffer: await sharp(Buffer.from(sea)).png().toBuffer() };
}

/** The horizon's row at the left and right edges, and the darkest sample of the upper corners. */
async function horizonOf(file: string) {
  const { data, info } = await sharp(readFileSync(file)).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => data[(y * info.width + x) * info.channels] ?? 0;
  const rowAt = (x: number) => Array.from({ length: info.height }, (_, y) => y).findIndex((y) => at(x, y) < 120);
  return {
    width: info.width,
    height: info.height,
    left: rowAt(2),
    right: rowAt(info.width - 3),
    corner: Math.min(at(0, 0), at(info.width - 1, 0)),
  };
}

// product: straightened
test("a picture is straightened by the keys and seen at once, within its crop, and mirrored it stays level", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open("#convert");
  await studio.choose(await tiltedSea("sea.png"));
  await page.getByRole("button", { name: "Crop and rotate" }).press("Enter");
  const slider = page.getByRole("slider", { name: "Straighten" });
  await slider.focus();
  for (let i = 0; i < 3; i++) await slider.press("ArrowLeft");
  await expect(slider).toHaveAttribute("aria-valuetext", "-0.3 degrees");
  await page.getByLabel("Degrees").fill("-5");
  await expect(page.getByRole("img", { name: "sea.png" })).toHaveAttribute("style", /rotate\(-5deg\)/);
  await expect(page.getByRole("button", { name: /^Crop box, 532 by 354/ })).toBeVisible();
  // The box stops at the picture's edge.
  await page.getByRole("button", { name: "1:1" }).press("Enter");
  const box = page.getByRole("button", { name: /^Crop box/ });
  for (let i = 0; i < 60; i++) await box.press("ArrowLeft");
  const stopped = await box.getAttribute("aria-label");
  await box.press("ArrowLeft");
  await expect(box).toHaveAttribute("aria-label", stopped ?? "");
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Flip horizontally" }).press("Enter");
  await expect(slider).toHaveAttribute("aria-valuetext", "5 degrees");
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await page.getByRole("radio", { name: "JPEG" }).check();
  await studio.submit.click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
  const seen = await horizonOf(await (await download).path());
  expect(seen.width).toBe(seen.height);
  expect(Math.abs(seen.left - seen.right)).toBeLessThanOrEqual(2);
  expect(seen.corner).toBeGreaterThan(200);
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(1);
});

test.describe("on a phone", () => {
  test.use({ viewport: phone, hasTouch: true });
  test("a finger straightens a picture, and its crop comes back where the angle goes", async ({ page }) => {
    const studio = studioOn(page);
    await studio.open();
    await studio.choose(await tiltedSea("sea.png"));
    await page.getByRole("button", { name: "Crop and rotate" }).tap();
    const slider = page.getByRole("slider", { name: "Straighten" });
    await page.getByLabel("Width", { exact: true }).fill("590");
    await slider.scrollIntoViewIfNeeded();
    const place = await restingBox(slider);
    await page.touchscreen.tap(place.x + place.width * 0.75, place.y + place.height / 2);
    const degrees = async () => Number.parseFloat((await slider.getAttribute("aria-valuetext")) ?? "");
    await expect.poll(degrees).toBeGreaterThan(15);
    const width = async () => Number(await page.getByLabel("Width", { exact: true }).inputValue());
    await expect.poll(width).toBeLessThan(450);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByLabel("Degrees").fill("0");
    await expect.poll(width).toBe(590);
    await page.getByRole("button", { name: "Reset" }).tap();
    await expect(slider).toHaveAttribute("aria-valuetext", "0 degrees");
  });
});
