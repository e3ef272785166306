import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import type { NamedPicture } from "./pictures.ts";
import { bothWidths, restingBox, studioOn } from "./studio-page.ts";

/** Four columns with the grey levels 0, 80, 160 and 240, from left to right. */
async function columns(name: string): Promise<NamedPicture> {
  const rects = [0, 1, 2, 3].map(
    (i) => `<rect x="${i * 100}" width="100" height="200" fill="rgb(${i * 80},${i * 80},${i * 80})"/>`,
  );
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200">${rects.join("")}</svg>`;
  return { name, mimeType: "image/png", buffer: await sharp(Buffer.from(drawing)).png().toBuffer() };
}

/** The levels at the left and right edges of a picture. */
async function edgesOf(file: string): Promise<(number | undefined)[]> {
  const { data, info } = await sharp(readFileSync(file)).raw().toBuffer({ resolveWithObject: true });
  return [data[2 * info.channels], data[(info.width - 3) * info.channels]];
}

const partOf = (page: Page) => page.getByRole("button", { name: /^Part that stays/ });

// product: moved-fill
test("what a resize crops is shaded, and the part that stays is moved by drag and by keys", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#resize");
  await studio.choose(await columns("a.png"), await columns("b.png"));
  await page.getByLabel("Width").fill("100");
  await page.getByLabel("Height").fill("100");
  const part = partOf(page);
  await expect(part).toHaveAccessibleName(/200 by 200 from 100, 0/);
  expect(await violationsOn(page)).toEqual([]);

  await part.focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowRight");
  await expect(part).toHaveAccessibleName(/from 200, 0/);
  await page.getByRole("button", { name: "Center" }).press("Enter");
  await expect(part).toHaveAccessibleName(/from 100, 0/);

  for (const viewport of bothWidths) {
    await page.setViewportSize(viewport);
    await page.getByRole("button", { name: "Center" }).press("Enter");
    await expect(part).toHaveAccessibleName(/from 100, 0/);
    await part.scrollIntoViewIfNeeded();
    const box = await restingBox(part);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x - box.width, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect(part).toHaveAccessibleName(/from 0, 0/);
  }

  // The position is kept while another aspect ratio is entered.
  await page.getByLabel("Height").fill("50");
  await expect(part).toBeHidden();
  await page.getByLabel("Height").fill("100");
  await expect(part).toHaveAccessibleName(/from 0, 0/);

  // On request, the preview shows the moved part beside the same part of the original.
  const toggle = page.getByRole("button", { name: "Live preview" });
  await toggle.press("Enter");
  const seen = page.getByRole("img", { name: "Preview of a.png, after" });
  await expect(seen).toBeVisible();
  await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toBeVisible();
  await toggle.press("Enter");
  await expect(part).toHaveAccessibleName(/from 0, 0/);

  await studio.submit.click();
  await expect(page.getByText("2 images done").first()).toBeVisible();
  const saved = async (name: string) => edgesOf(await (await studio.download(name)).path());
  expect(await saved("a.png")).toEqual([0, 80]);
  expect(await saved("b.png")).toEqual([80, 160]);
  // The crop is free, like every crop before a tool.
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(2);
});

// product: canvas-exact
test("images of several shapes become squares on white, as the preview shows them", async ({ page }) => {
  const studio = studioOn(page);
  for (const viewport of bothWidths) {
    await page.setViewportSize(viewport);
    await studio.open("#resize");
    await studio.choose(await columns("wide.png"), await columns("other.png"));
    await page.getByLabel("Width").fill("300");
    await page.getByLabel("Height").fill("300");
    await page.getByText("Fit", { exact: true }).first().click();
    await page.getByLabel("Canvas").selectOption("White");
    await page.getByLabel("Padding").fill("50");
    const seen = page.getByRole("img", { name: /^Preview of wide.png/ });
    await expect(seen).toBeVisible();
    const shape = await seen.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight);
    expect(shape).toBe(1);
    expect(await violationsOn(page)).toEqual([]);
    await studio.submit.click();
    await expect(page.getByText("2 images done").first()).toBeVisible();
    const download = await studio.download("wide.png");
    const { data, info } = await sharp(readFileSync(await download.path()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([300, 300]);
    const levelAt = (x: number, y: number) => data[(y * 300 + x) * info.channels];
    // 200 x 100 px in the middle, dark at its left edge and light at its right one, and white around.
    expect([levelAt(45, 150), levelAt(150, 95), levelAt(150, 205), levelAt(255, 150)]).toEqual([255, 255, 255, 255]);
    expect([levelAt(60, 150), levelAt(240, 150)]).toEqual([0, 240]);
    await page.goto("about:blank");
  }
});

test("a watermark is seen before it costs anything, and stands on the result as it was seen: a text, then a logo", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open("#watermark");
  await studio.choose(await columns("wide.png"));
  await studio.submit.click();
  await expect(studio.obstacle).toHaveText("Type a text or choose a logo.");
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("© Ada");
  await page.getByRole("radio", { name: "Bottom left" }).check();
  const seen = page.getByRole("img", { name: "Preview of wide.png, after" });
  await expect(seen).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  await page.getByRole("radio", { name: "Logo" }).check();
  const logo = sharp({ create: { width: 20, height: 20, channels: 3, background: "#00ff00" } });
  const buffer = await logo.png().toBuffer();
  await page
    .getByLabel("Logo", { exact: true })
    .last()
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await page.getByLabel("Opacity (%)").fill("100");
  // The mark is at the left, where the picture is dark.
  await expect.poll(() => seen.evaluate(greenestOf)).toEqual(255);
  await studio.submit.click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).press("Enter");
  const { data, info } = await sharp(readFileSync(await (await download).path()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
  expect(at(Math.round(info.width * 0.1), Math.round(info.height * 0.9))).toEqual([0, 255, 0]);
  expect(at(Math.round(info.width * 0.9), 4)[1]).toBe(240);
});

/** The highest value of green where red is low. */
async function greenestOf(image: HTMLImageElement): Promise<number> {
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d");
  context?.drawImage(image, 0, 0);
  const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  let greenest = 0;
  for (let i = 0; i < data.length; i += 4)
    if ((data[i] ?? 0) < 20) greenest = Math.max(greenest, (data[i + 1] ?? 0) - (data[i] ?? 0));
  return greenest > 230 ? 255 : greenest;
}
