import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { holdStream } from "./held-stream.ts";
import { test } from "./journey.ts";
import { signedUp } from "./people.ts";
import { jpeg } from "./pictures.ts";
import { expectBatchesStored, phone, studioOn } from "./studio-page.ts";

// product: own-options
test("one picture goes with options of its own, under the same Submit, and a reload finds both jobs", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("sea.jpg"), await jpeg("hill.jpg", 600, 450));
  await page.getByRole("button", { name: "Balanced" }).click();
  await page.getByRole("button", { name: "Show hill.jpg" }).press("Enter");
  await page.getByRole("button", { name: "More tools" }).press("Enter");
  await page.getByRole("button", { name: "Custom options" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Custom options" });
  await expect(dialog).toContainText("Compress for hill.jpg only.");
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole("textbox", { name: "Quality" }).fill("300");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("Please enter a valid quality between 1 and 100.");
  await expect(dialog.getByRole("textbox", { name: "Quality" })).toBeFocused();
  await dialog.getByRole("textbox", { name: "Quality" }).fill("20");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("hill.jpg has its own options.")).toBeVisible();
  await expect(page.getByText("2 credits · 5 of 5 left")).toBeVisible();

  await page.setViewportSize(phone);
  const asked: string[] = [];
  page.on("response", (response) => {
    if (response.request().method() === "POST") asked.push(new URL(response.url()).pathname);
  });
  await page.route("**/api/jobs/*/events", (route) => route.abort());
  await studio.submit.click();
  await expect(page.getByText("The connection was lost. Reconnecting...")).toBeVisible();
  await expect.poll(() => asked.filter((path) => path === "/api/compress/").length).toBe(2);
  await expectBatchesStored(page, 2);
  // Reload before events get through again: a result that this page still fetched would be missing from the next page's count.
  await page.reload();
  await expect(page.getByText("The connection was lost. Reconnecting...")).toBeVisible();
  await page.unroute("**/api/jobs/*/events");
  await expect(page.getByText("2 images done").first()).toBeVisible();
  await expect(page.getByText("hill.jpg has its own options.")).toBeVisible();
  await studio.openGrid();
  await expect(studio.item("hill.jpg")).toHaveAccessibleName(/with its own options/);
  const kilobytes = async (name: string) => {
    await expect(studio.item(name)).toContainText(/[\d.]+ KB, /);
    return Number(/([\d.]+) KB/.exec((await studio.item(name).textContent()) ?? "")?.[1]);
  };
  expect(await kilobytes("hill.jpg")).toBeLessThan((await kilobytes("sea.jpg")) / 2);
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(2);

  await page.getByRole("button", { name: "Reset: use the same options for all images" }).press("Enter");
  await expect(page.getByText("1 credit · 3 of 5 left")).toBeVisible();
});

test("an address that is pasted becomes a picture, and one that cannot be had says so", async ({ page }) => {
  const { buffer } = await jpeg("sea.jpg");
  const pictures = createServer((request, response) => {
    response.writeHead(request.url === "/sea.jpg" ? 200 : 404, { "content-type": "image/jpeg" }).end(buffer);
  });
  pictures.listen(0, "127.0.0.1");
  await once(pictures, "listening");
  const { port } = pictures.address() as AddressInfo; // a TCP server has one
  const studio = studioOn(page);
  await studio.open("#convert");
  const paste = (text: string) =>
    page.evaluate((words) => {
      const data = new DataTransfer();
      data.setData("text/plain", words);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, text);
  await paste(`http://127.0.0.1:${port}/sea.jpg`);
  await expect(page.getByText("640 × 480")).toBeVisible();
  await page.setViewportSize(phone);
  await paste(`http://127.0.0.1:${port}/gone.jpg`);
  await expect(studio.judged).toContainText("gone.jpg: ");
  await page.getByRole("radio", { name: "WebP" }).check();
  await studio.submit.click();
  await studio.openGrid();
  await expect(studio.item("sea.webp")).toBeVisible();
  expect((await (await page.request.get("/api/config")).json()).usage.used).toBe(1);
  pictures.close();
});

test("two hundred pictures scroll smoothly, and hold no more than their thumbnails", async ({
  page,
  context,
  baseURL,
}) => {
  const workers: string[] = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  await signedUp(page, { origin: String(baseURL) });
  // A plan with batches of two hundred. Mocked responses replace the actual processing.
  for (const [call, change] of [
    ["user-info", { plan: "pro", limit: 1000 }],
    ["config", { tier: "pro", usage: { used: 0, limit: 1000 } }],
  ] as const)
    await page.route(`**/api/${call}`, async (route) => {
      const answer = await (await route.fetch()).json();
      const plan = answer.limits ? { limits: { ...answer.limits, filesPerBatch: 200 } } : {};
      await route.fulfill({ json: { ...answer, ...plan, ...change } });
    });
  const { buffer, mimeType } = await jpeg("one.jpg", 320, 240);
  const count = 200;
  const files = Array.from({ length: count }, (_, index) => ({
    index,
    name: `${index}.jpg`,
    state: index % 2 === 0 ? "waiting" : "failed",
    progress: 0,
    notes: [],
    delivered: false,
    ...(index % 2 === 0 ? {} : { reason: "The image is damaged and cannot be read." }),
  }));
  const job = { id: "j", operation: "compress", state: "running", progress: 0, files };
  const stream = await holdStream({ type: "snapshot", job: { ...job, created_at: new Date().toISOString() } });
  await page.route("**/api/compress/", (route) =>
    route.fulfill({ status: 202, headers: { location: "/api/jobs/j" }, json: job }),
  );
  await page.route("**/api/jobs/*/events", (route) => route.continue({ url: stream.url }));

  const studio = studioOn(page);
  await studio.open();
  await studio.choose(...Array.from({ length: count }, (_, index) => ({ name: `${index}.jpg`, mimeType, buffer })));
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  await studio.openGrid();
  const rows = studio.items;
  await expect(rows).toHaveCount(count);
  await page.getByRole("button", { name: "Needs attention 100" }).click();
  await expect(rows).toHaveCount(count / 2);
  await page.getByRole("button", { name: "All 200" }).click();
  await expect(rows).toHaveCount(count);
  const thumbnails = page.locator("[role=listbox][aria-label=Images] img");
  await expect(thumbnails).toHaveCount(count);
  for (const name of ["thumbnail", "fingerprint"])
    expect(workers.filter((url) => url.includes(`/${name}.worker`))).not.toHaveLength(0);

  // Memory if all thumbnails are decoded at once. A thumbnail has 192 px on its shorter side, whatever the original's size.
  const bytes = () =>
    thumbnails.evaluateAll((all) =>
      (all as HTMLImageElement[]).reduce(
        (sum, { naturalWidth, naturalHeight }) => sum + naturalWidth * naturalHeight * 4,
        0,
      ),
    );
  await expect.poll(bytes).toBe(count * 192 * 256 * 4);
  const drawn = () =>
    thumbnails.evaluateAll((all) => all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length);
  await expect.poll(drawn).toBeLessThan(80);

  // CPU time of the page's thread only, so that other programs on the machine do not count.
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busySeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const frames = 120;
  const scroller = page.getByRole("listbox", { name: "Images" }).locator("..");
  const perFrameMs = async () => {
    const before = await busySeconds();
    await scroller.evaluate(async (list, steps) => {
      for (let step = 0; step < steps; step += 1) {
        list.scrollBy(0, step < steps / 2 ? 150 : -150);
        await new Promise(requestAnimationFrame);
      }
    }, frames);
    return ((await busySeconds()) - before) * (1000 / frames);
  };
  // Relative to the same list with one empty row as tall as all, because machines differ. The factor is 4 where each frame fits into 16.7 ms, and far
  // higher if the list lays out all of its rows.
  const withRows = await perFrameMs();
  await scroller.evaluate((list) => {
    const row = document.createElement("div");
    row.style.height = `${list.scrollHeight}px`;
    list.firstElementChild?.replaceChildren(row);
  });
  expect(withRows / (await perFrameMs())).toBeLessThan(8);
  stream.close();
});
