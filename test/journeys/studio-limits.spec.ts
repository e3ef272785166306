import { expect } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { signedUp, somebody } from "./people.ts";
import { jpeg, notAPicture, png } from "./pictures.ts";
import { bothWidths, phone, studioOn } from "./studio-page.ts";

test("a person never sees a guest's limits in the drop zone, not even while theirs are asked for", async ({
  page,
  baseURL,
}) => {
  await signedUp(page, { origin: String(baseURL) });
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route("**/api/user-info", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/");
  const guests = page.getByText("Up to 10 MB each, 5 at a time.");
  await expect(page.getByRole("button", { name: /^Account of/ })).toBeVisible();
  await expect(guests).toBeHidden();
  letGo();
  await expect(page.getByText("Up to 25 MB each, 20 at a time.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Up to 25 MB each, 20 at a time.")).toBeVisible();
  await expect(guests).toBeHidden();
});

test("one bad file never blocks a batch: it is named, left out, and the rest goes", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  const small = await png("huge.png");
  const huge = { ...small, buffer: Buffer.concat([small.buffer, Buffer.alloc(11e6)]) };
  await studio.choose(await jpeg("a.jpg"), huge, notAPicture("text.png", "image/png"), await png("b.png"));
  await expect(studio.judged).toContainText("huge.png is 11");
  await expect(studio.judged).toContainText("text.png: This file is not an image we can read.");
  await expect(studio.judged.getByRole("button", { name: "Sign up for 25 MB" })).toBeVisible();
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.judged.getByRole("button", { name: "Run the other 2 (2 credits)" }).click();
  await expect(studio.charged).toHaveText("2 credits · 3 of 5 left");
  await studio.judged.getByRole("button", { name: "Sign up for 25 MB" }).click();
  await expect(page.getByRole("dialog").getByRole("tab", { name: "Sign Up", selected: true })).toBeVisible();
});

// product: guest-batch-goes-on
test("a guest's batch beyond the allowance runs in part at once, and as a whole after the sign-up", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(...(await Promise.all([0, 1, 2, 3, 4, 5].map((index) => png(`p${index}.png`, 40 + index, 30)))));
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  const dialog = page.getByRole("dialog", { name: "Tintype" });
  await expect(dialog.getByRole("tab", { name: "Sign Up", selected: true })).toBeVisible();
  // It opens over the prices, where its reason stays once it is closed.
  await expect(page).toHaveURL("/pricing");
  expect(await violationsOn(page)).toEqual([]);
  const needed = /This needs 6 credits, and you have 5 of 5 free credits left/;
  await expect(dialog.getByText(needed)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  for (const viewport of bothWidths) {
    await page.setViewportSize(viewport);
    await expect(page.getByRole("status").getByText(needed)).toBeVisible();
  }
  await page.getByRole("link", { name: "Tintype, home" }).first().click();
  await studio.submit.click();
  await dialog.getByRole("button", { name: "Run 5 now" }).press("Enter");
  await expect(page).toHaveURL("/");
  await expect(page.getByText("0 of 5 left").first()).toBeVisible();
  await expect(page.getByText(/5 images done/)).toBeVisible();

  await studio.submit.click();
  await expect(dialog.getByRole("tab", { name: "Sign Up", selected: true })).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Run/ })).toHaveCount(0);
  const { name, email, password } = somebody();
  await dialog.getByLabel("Full Name").fill(name);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByLabel("Confirm Password").fill(password);
  await dialog.getByRole("button", { name: "Sign Up", exact: true }).press("Enter");
  await expect(dialog).toBeHidden();
  // The pending batch starts without another click.
  await expect(page).toHaveURL("/");
  await expect(page.getByText(/6 images done/)).toBeVisible();
  // Only the sixth is charged: the other results are already here.
  await expect(page.getByText(/99 of 100 left/).first()).toBeVisible();
});

test("a person short of credits hears what is left and runs what it suffices for", async ({ page, baseURL }) => {
  await signedUp(page, { origin: String(baseURL) });
  await page.route("**/api/user-info", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), service_count: 98 } });
  });
  await page.route("**/api/config", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), usage: { used: 98, limit: 100 } } });
  });
  const studio = studioOn(page);
  await studio.open();
  await expect(page.getByText("98 of 100")).toBeVisible();
  await studio.choose(await jpeg("a.jpg"), await png("b.png"), await png("c.png", 64, 48));
  await page.getByRole("button", { name: "Balanced" }).click();
  await expect(studio.cost).toHaveText("3 credits · 2 of 100 left");
  await studio.submit.click();
  await expect(studio.obstacle).toHaveText(/^This needs 3 credits, and you have 2 left[.] Your credits reset on /);
  await expect(page.getByRole("link", { name: "See plans" })).toBeVisible();
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: "Run 2 of 3" }).click();
  await expect(page.getByRole("button", { name: "Download all" })).toBeVisible();
  await expect(page.getByText(/2 images done/)).toBeVisible();
});
