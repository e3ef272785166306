import { expect } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { jpeg } from "./pictures.ts";
import { studioOn } from "./studio-page.ts";

test.use({ serviceWorkers: "allow" });

test("the app opens offline with its studio, keeps no answer of the API, and takes pictures that another app shares", async ({
  page,
  context,
}) => {
  await page.goto("/");
  await page.evaluate(() => navigator.serviceWorker.register("/sw.js"));
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload({ waitUntil: "networkidle" });
  const kept = await page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("tintype-"));
    const cache = await caches.open(names[0] ?? "");
    return { names, paths: (await cache.keys()).map(({ url }) => new URL(url).pathname) };
  });
  expect(kept.names).toHaveLength(1);
  expect(kept.paths).toContain("/");
  expect(kept.paths.filter((path) => !path.startsWith("/assets/")).toSorted()).toEqual([
    "/",
    "/favicon.svg",
    "/offline.html",
  ]);

  await context.setOffline(true);
  await page.goto("/pricing");
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("link", { name: "Go to the studio" }).click();
  await expect(page.getByRole("heading", { name: "Compress, resize, upscale and cut out images" })).toBeVisible();
  // Chromium emulates `navigator.onLine` for one document only, so on a machine with a network the next document needs it again.
  await context.setOffline(false);
  await context.setOffline(true);
  await expect(page.getByText(/^You are offline[.] You can add images/)).toBeVisible();
  const studio = studioOn(page);
  await studio.choose(await jpeg("sea.jpg"));
  await expect(page.getByText("sea.jpg").first()).toBeVisible();
  await page.getByRole("tab", { name: "Resize" }).click();
  await expect(page.getByLabel("Width")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/^You are offline[.] You can add images/)).toBeHidden();

  // When another app shares files, the system posts a form to this app.
  await page.evaluate(() => {
    const form = Object.assign(document.createElement("form"), {
      action: "/share",
      method: "post",
      enctype: "multipart/form-data",
    });
    const input = Object.assign(document.createElement("input"), { type: "file", name: "files" });
    const data = new DataTransfer();
    const pixel = Uint8Array.from(
      atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="),
      (letter) => letter.charCodeAt(0),
    );
    data.items.add(new File([pixel], "shared.png", { type: "image/png" }));
    input.files = data.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  });
  // Any website can post this form, so the page asks before it accepts pictures.
  const question = page.getByRole("dialog", { name: "Add 1 image?" });
  await expect(question.getByText("shared.png")).toBeVisible();
  await expect(page).toHaveURL("/");
  expect(await violationsOn(page)).toEqual([]);
  await expect(page.getByText("shared.png")).toHaveCount(1);
  await question.getByRole("button", { name: "Add 1 image" }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText("shared.png").first()).toBeVisible();
});
