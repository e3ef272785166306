import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import sharp from "sharp";
import { filled, pdfFile } from "../../packages/imaging/src/testing/pdf-file.ts";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { png } from "./pictures.ts";
import { studioOn } from "./studio-page.ts";

// product: formats-by-content
test("a page of a PDF is chosen, seen and converted, beside an image that has no pages", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#convert");
  await studio.choose(await png("board.png", 120, 90));
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveCount(0);
  const pages = [
    { box: [0, 0, 100, 50], content: filled("1 0 0") },
    { box: [0, 0, 60, 90], content: filled("0 0 1") },
  ];
  await studio.choose({ name: "leaflet.pdf", mimeType: "application/pdf", buffer: pdfFile({ pages }) });
  // It pushes the formats down.
  await expect(page.getByRole("textbox", { name: "Page" })).toBeVisible();
  await page.getByRole("radio", { name: "WebP" }).check();
  await page.getByRole("textbox", { name: "Page" }).fill("2");
  expect(await violationsOn(page)).toEqual([]);
  await studio.submit.click();
  await studio.openGrid();
  await expect(studio.item("board.webp")).toBeVisible();
  const file = await studio.download("leaflet.webp");
  expect(await sharp(readFileSync(await file.path())).metadata()).toMatchObject({
    format: "webp",
    width: 120,
    height: 180,
  });
});
