import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import sharp from "sharp";
import { redModel } from "../../packages/server/src/testing/red-model.ts";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { originOf, startOwnServer } from "./own-server.ts";
import type { NamedPicture } from "./pictures.ts";
import { phone, studioOn } from "./studio-page.ts";

// Neural networks of a few bytes: the large one detects red, and those for people detect red and blue.
const model = redModel();
const origin = originOf(3);
test.use({ baseURL: origin });
let server: Awaited<ReturnType<typeof startOwnServer>>;
test.beforeAll(async () => {
  server = await startOwnServer("candidates", { origin, env: { ...model.environment, TINTYPE_ORIGIN: origin } });
});
test.afterAll(async () => {
  await server.close();
  model.remove();
});

const svg = (name: string, body: string): NamedPicture => ({
  name,
  mimeType: "image/svg+xml",
  buffer: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="100%" height="100%" fill="#cfd6da"/>${body}</svg>`,
  ),
});
const ball = svg("ball.svg", '<circle cx="170" cy="120" r="70" fill="#e61e1e"/>');
const head = svg(
  "head.svg",
  '<rect x="170" y="20" width="60" height="60" fill="#e61e1e"/><rect x="100" y="80" width="200" height="200" fill="#1e1ee6"/>',
);

// product: candidates
test("a head without its body needs attention, says so, and another cut-out is taken by the keys at no cost", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open("#removeBackground");
  await studio.choose(ball, head);
  await studio.submit.click();
  await page.getByRole("button", { name: "Show 1 that needs attention" }).press("Enter");
  await expect(studio.items).toHaveCount(1);
  await expect(studio.item("head.svg")).toContainText("A large part of the person may be missing.");
  expect(await violationsOn(page)).toEqual([]);
  await studio.item("head.svg").dblclick();
  await expect(page.getByRole("img", { name: "Preview of head_bgremoved.png" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await studio.openGrid();
  await studio.item("head.svg").press("k");
  const kept = studio.item("head_bgremoved.png");
  await expect(kept).toContainText("Check the result before you use it. A large part of the person may be missing.");
  await kept.press("c");

  await expect(page.getByRole("group", { name: /A large part of the person may be missing/ })).toBeVisible();
  const group = page.getByRole("group", { name: /Pick the version you prefer/ });
  const [shown, joined] = [1, 2].map((place) => group.getByRole("radio", { name: `Cut-out ${place} of 2` }));
  if (!shown || !joined) throw new Error("two radios were named");
  await expect(shown).toBeChecked();
  await shown.focus();
  await page.keyboard.press("ArrowRight");
  await expect(joined).toBeChecked();
  await expect(joined).toBeFocused();
  await expect(group.getByRole("status")).toBeHidden();
  await expect(page.getByText("may be missing")).toBeHidden();
  expect(await violationsOn(page)).toEqual([]);
  // The new background applies to the selected candidate.
  await page.getByRole("button", { name: "White" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Applying" })).toBeHidden();
  await expect(joined).toBeChecked();
  await page.setViewportSize(phone);
  const download = await studio.download("head_bgremoved.png");
  await studio.item("head_bgremoved.png").press("Enter");
  const { data, info } = await sharp(readFileSync(await download.path()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 400, height: 300, channels: 3 });
  const at = (x: number, y: number) => [...data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3)];
  expect([at(5, 5), at(200, 200)]).toEqual([
    [255, 255, 255],
    [30, 30, 230],
  ]);
  const jpeg = page.waitForEvent("download");
  await page.getByRole("button", { name: "More for the result" }).press("Enter");
  await page.getByRole("button", { name: "Download as JPEG" }).press("Enter");
  expect((await jpeg).suggestedFilename()).toBe("head_bgremoved.jpg");
  // The editor starts with the selected candidate.
  await expect(page.getByRole("button", { name: "Edit the cut-out" })).toBeEnabled();
  await page.getByRole("button", { name: "Edit the cut-out" }).press("Enter");
  await expect(page.getByRole("application", { name: /Cut-out of head.svg/ })).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  // The other picture has only one candidate.
  await page.getByRole("button", { name: "Show ball.svg" }).press("Enter");
  await expect(page.getByRole("radio", { name: /Cut-out 1 of/ })).toHaveCount(0);
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(2);
});

// product: flagged-discarded
test("a flagged cut-out waits for a decision, also after a reload, and is discarded for its credit by the keys", async ({
  page,
}) => {
  const studio = studioOn(page);
  const used = async () => (await (await page.request.get("/api/config")).json()).usage.used;
  const downloads: string[] = [];
  page.on("request", (request) => {
    if (/\/files\/0$/.test(request.url()) && request.method() === "GET") downloads.push(request.url());
  });
  await studio.open("#removeBackground");
  await studio.choose(head);
  await studio.submit.click();
  const discard = page.getByRole("button", { name: "Discard and get the credit back: head.svg" });
  await expect(discard).toBeVisible();
  expect(await used()).toBe(1);
  await page.setViewportSize(phone);
  expect(await violationsOn(page)).toEqual([]);
  await page.reload();
  await expect(discard).toBeVisible();
  expect(downloads).toEqual([]);
  await discard.press("Enter");
  await expect(page.getByText("Discarded. Its credit is back.").first()).toBeVisible();
  expect(await used()).toBe(0);
  await expect(page.getByText("5 of 5 left").first()).toBeVisible();
  expect(downloads).toEqual([]);
});
