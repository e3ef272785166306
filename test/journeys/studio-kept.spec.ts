import { expect, type Page } from "@playwright/test";
import { holdStream } from "./held-stream.ts";
import { test } from "./journey.ts";
import { signedUp } from "./people.ts";
import { jpeg, png } from "./pictures.ts";
import { expectBatchesStored, storedOn, studioOn } from "./studio-page.ts";

const usedBy = async (page: Page) => (await (await page.request.get("/api/config")).json()).usage.used;
const creditsOn = (page: Page) => page.getByRole("banner").getByText(/of 5 credits left/);
const download = (page: Page) => page.getByRole("button", { name: "Download", exact: true });

/** Waits until the browser stores this many results and the page knows it: from then on, reloading does not prompt. */
async function expectKept(page: Page, count: number) {
  await expect.poll(() => storedOn(page, "results")).toBe(count);
  const asksBeforeLeaving = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  await expect.poll(() => page.evaluate(asksBeforeLeaving)).toBe(false);
}

async function compress(page: Page, ...names: string[]) {
  const studio = studioOn(page);
  await studio.choose(...(await Promise.all(names.map((name, index) => jpeg(name, 640, 480 - index)))));
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  await expect(download(page).or(page.getByRole("button", { name: "Download all" }))).toBeVisible();
}

// product: kept-results-free
test("the same picture with the same settings is not charged again unless that is asked for, other settings are", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await compress(page, "harbour.jpg");
  await expect(studio.charged).toHaveText("1 credit · 4 of 5 left");
  await expect(page.getByText("Up to date").first()).toBeVisible();
  await studio.submit.click();
  await expect(page.getByText("Up to date · 4 of 5 left")).toHaveCount(2);

  // The same content under another name, on an empty plate.
  await page.getByRole("button", { name: "Remove harbour.jpg" }).click();
  await studio.choose({ ...(await jpeg("harbour.jpg")), name: "sea.jpg" });
  await expect(studio.cost).toHaveText("Up to date · 4 of 5 left");
  await studio.submit.click();
  await expect(download(page)).toBeVisible();
  expect(await usedBy(page)).toBe(1);
  const file = page.waitForEvent("download");
  await download(page).press("Enter");
  expect((await file).suggestedFilename()).toBe("sea.jpg");

  await page.getByRole("button", { name: "More for the result" }).press("Enter");
  await page.getByRole("button", { name: "Run again · 1 credit" }).click();
  await expect(studio.charged).toHaveText("1 credit · 3 of 5 left");
  expect(await usedBy(page)).toBe(2);

  // Other settings are other work, and going back to the first ones costs nothing.
  await page.getByRole("button", { name: "Small" }).click();
  await studio.submit.click();
  await expect(studio.charged).toHaveText("1 credit · 2 of 5 left");
  await page.getByRole("button", { name: "Balanced" }).click();
  // The browser stores a result some time after it is shown.
  await expect(studio.cost).toHaveText("Up to date · 2 of 5 left");
  await studio.submit.click();
  await expect(page.getByText("Up to date · 2 of 5 left")).toHaveCount(2);
  expect(await usedBy(page)).toBe(3);
});

test("results survive a reload, are seen in a second tab, cost nothing again, and can be forgotten", async ({
  page,
  context,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await compress(page, "a.jpg", "b.jpg");
  await expectKept(page, 2);
  const leaving: string[] = [];
  page.on("dialog", (dialog) => {
    leaving.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(leaving).toEqual([]);
  await studio.openRecent();
  await expect(studio.recent.getByRole("listitem")).toHaveCount(1);
  const zip = page.waitForEvent("download");
  await studio.recent.getByRole("button", { name: "Download 2 images as a ZIP" }).click();
  expect((await zip).suggestedFilename()).toMatch(/^tintype-compress-2-images-/);
  await studio.recent.getByRole("button", { name: "Show images" }).click();
  await expect(studio.recent.locator("img")).toHaveCount(3);
  const file = page.waitForEvent("download");
  await studio.recent.getByRole("button", { name: "Download a.jpg" }).click();
  expect((await file).suggestedFilename()).toBe("a.jpg");
  await page.keyboard.press("Escape");

  const other = await context.newPage();
  await other.goto("/");
  await studioOn(other).openRecent();
  await expect(studioOn(other).recent.getByRole("listitem")).toHaveCount(1);

  await compress(page, "a.jpg");
  expect(await usedBy(page)).toBe(2);
  await page.getByRole("button", { name: "Remove a.jpg" }).click();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await studio.openRecent();
  await page.getByRole("button", { name: "Clear" }).press("Enter");
  await expect(studio.recent).toBeHidden();
  await expect(studioOn(other).recent).toBeHidden();
  expect(await storedOn(page, "results")).toBe(0);
  await page.reload();
  await expect(page.getByText("Drop images here")).toBeVisible();
  await expect(page.getByRole("button", { name: "Recent results" })).toBeHidden();
});

test("one person's results are not shown to the next one at the same browser", async ({ page, baseURL }) => {
  await signedUp(page, { origin: String(baseURL) });
  const studio = studioOn(page);
  await studio.open();
  await compress(page, "private.jpg");
  await expectKept(page, 1);
  await page.reload();
  const recent = page.getByRole("button", { name: "Recent results" });
  await expect(recent).toBeVisible();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page.getByRole("banner").getByRole("button", { name: "Get Started" })).toBeVisible();
  await expect(recent).toBeHidden();
});

test("a batch under way shows its pictures after a reload", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#resize");
  await page.route("**/api/jobs/*/events", (route) => route.abort());
  await studio.choose(await png("one.png"));
  await page.getByLabel("Width").fill("100");
  await studio.submit.click();
  await expect(page.getByText("The connection was lost. Reconnecting...")).toBeVisible();
  await expectBatchesStored(page, 1);
  await page.unroute("**/api/jobs/*/events");
  // As far as this page can tell, the server is not done yet.
  const waiting = { index: 0, name: "one.png", state: "waiting", progress: 0, notes: [], delivered: false };
  const job = {
    id: "job",
    operation: "resize",
    state: "queued",
    progress: 0,
    created_at: "2026-01-01T00:00:00Z",
    position: 3,
    files: [waiting],
  };
  await page.route("**/api/jobs/*", (route) => route.fulfill({ json: job }));
  const stream = await holdStream({ type: "snapshot", job });
  await page.route("**/api/jobs/*/events", (route) => route.continue({ url: stream.url }));
  try {
    await page.reload();
    await expect(page.getByRole("img", { name: "one.png" })).toBeVisible();
    await expect(page.getByText(/^[\d.]+ KB · 320 × 240$/)).toBeVisible();
    await expect(page.getByText("In the queue, 3 images ahead of yours")).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "The whole batch" })).toHaveAttribute("aria-valuenow", "0");
    // Each attempt to reconnect fails as the first one did.
    const attempts: string[] = [];
    page.on("request", (request) => request.url().endsWith("/events") && attempts.push(request.url()));
    stream.breakOff();
    await expect.poll(() => attempts.length).toBeGreaterThan(3);
    await expect(studio.told.getByText("The connection was lost.")).toHaveCount(1);
  } finally {
    stream.close();
  }
});

test("a guest sees the credits left: in the header, beside Submit, after the result, and on the next visit", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await expect(creditsOn(page)).toHaveText("5 of 5 credits left");
  await expect(page.getByText("1 credit per image · 5 of 5 left")).toBeVisible();
  await studio.choose(await jpeg("a.jpg"), await jpeg("b.jpg", 300, 200));
  await expect(page.getByText("2 credits · 5 of 5 left")).toBeVisible();
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  await expect(studio.charged).toHaveText("2 credits · 3 of 5 left");
  await expect(creditsOn(page)).toHaveText("3 of 5 credits left");
  await page.goto("/about");
  await expect(creditsOn(page)).toHaveText("3 of 5 credits left");
});

test("a sample lies in the studio with the tool it is for, and is tried for no credit", async ({ page }) => {
  const studio = studioOn(page);
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /compress|upscale|remove|convert\/$/.test(request.url()))
      posts.push(request.url());
  });
  for (const [wish, tool] of [
    ["Compress a photo", "Compress"],
    ["Remove a background", "Remove BG"],
    ["Enlarge a photo", "Upscale"],
    ["Convert to WebP", "Convert"],
  ] as const) {
    await studio.open();
    await page.getByRole("button", { name: wish }).click();
    await expect(page.getByRole("tab", { selected: true })).toHaveText(tool);
    await expect(page.getByText("Up to date").first()).toBeVisible();
    await studio.submit.click();
    await expect(download(page)).toBeVisible();
    await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Live preview" })).toBeHidden();
  }
  expect(posts).toEqual([]);
  expect(await usedBy(page)).toBe(0);
});

test("a reload in the middle of an upload brings the pictures back, and one right after it finds the batch with them", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open();
  page.on("dialog", (dialog) => dialog.accept()); // leaving during an upload prompts
  let isHeld = true;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/compress/", async (route) => {
    if (isHeld) return; // the upload does not end
    const response = await route.fetch();
    await answered;
    await route.fulfill({ response });
  });
  await page.route("**/api/jobs/*/events", (route) => route.abort());
  await studio.choose(await jpeg("harbour.jpg"), await png("quay.png"));
  await page.waitForFunction(() => sessionStorage.getItem("tintype.unsent")?.split("\n").length === 2);
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expectBatchesStored(page, 1);
  await page.reload();
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Show harbour.jpg" })).toBeVisible();

  isHeld = false;
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  // The originals are stored before the answer. The first upload's are unused from then on.
  await expectBatchesStored(page, 2);
  answer();
  await page.waitForFunction(() => (localStorage.getItem("tintype.jobs") ?? "[]") !== "[]");
  await page.reload();
  await expect(page.getByRole("img", { name: "harbour.jpg" })).toBeVisible();
  await page.getByRole("button", { name: "Show quay.png" }).first().click();
  await expect(page.getByRole("img", { name: "quay.png" })).toBeVisible();
  await page.unroute("**/api/jobs/*/events");
  await expect(page.getByRole("button", { name: "Download all" })).toBeVisible();
});

test("pictures that were not sent survive a reload, and not a new visit", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("harbour.jpg"), await png("quay.png"));
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();
  await page.waitForFunction(() => sessionStorage.getItem("tintype.unsent") !== null);
  await page.reload();
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Show harbour.jpg" })).toBeVisible();
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  await expect(page.getByText("2 images done")).toBeVisible();
  await expectKept(page, 2);
  // Sent pictures are kept as results and are not restored as sources.
  await page.reload();
  await expect(page.getByRole("button", { name: "Recent results" })).toBeVisible();
  await expect(page.getByText("Drop images here")).toBeVisible();

  await studio.choose(await jpeg("quai.jpg"));
  await page.waitForFunction(() => sessionStorage.getItem("tintype.unsent") !== null);
  await studio.open();
  await expect(page.getByText("Drop images here")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Drop images here")).toBeVisible();
});
