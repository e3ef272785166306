import { expect, type Page } from "@playwright/test";
import { test } from "./journey.ts";
import { originOf, startOwnServer } from "./own-server.ts";
import { somebody, usageOn } from "./people.ts";
import { jpeg } from "./pictures.ts";
import { phone, studioOn } from "./studio-page.ts";

// A name in a local network, without TLS. Its pages are no secure context: they have no clipboard API, Cache Storage, service worker,
// Web Crypto, Web Locks or passkeys.
const address = originOf(11);
const origin = address.replace("localhost", "studio.lan");

test.use({
  baseURL: origin,
  launchOptions: [
    ({ launchOptions }, use) =>
      use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), "--host-resolver-rules=MAP studio.lan 127.0.0.1"],
      }),
    { scope: "worker" },
  ],
});
let server: Awaited<ReturnType<typeof startOwnServer>>;
test.beforeAll(async () => {
  const env = { TINTYPE_ORIGIN: origin, PAYMENTS: "sandbox", MAIL: "log" };
  server = await startOwnServer("plain-http", { origin: address, env });
});
test.afterAll(() => server.close());

/** What the clipboard holds, pasted into a field as a person would. */
async function pasted(page: Page): Promise<string> {
  await page.evaluate(() => {
    const field = document.createElement("textarea");
    field.id = "paste-here";
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.focus();
  });
  await page.keyboard.press("Control+V");
  const field = page.locator("#paste-here");
  await expect(field).not.toHaveValue("");
  const value = await field.inputValue();
  await field.evaluate((one) => one.remove());
  return value;
}

test("pictures are added, survive a reload, are compressed and saved on a plain http name", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  await studio.choose(await jpeg("a.jpg"), await jpeg("b.jpg"));
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("tintype.unsent")?.split("\n").length)).toBe(2);
  await page.setViewportSize(phone);
  await page.reload();
  await expect(page.getByRole("button", { name: "Remove a.jpg" }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove b.jpg" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  await expect(page.getByText("2 images done").first()).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^tintype-compress-2-images-[0-9]{4}-[0-9]{2}-[0-9]{2}[.]zip$/);
  await page.reload();
  await studio.openRecent();
  await expect(studio.recent.getByText("Compress · 2 images")).toBeVisible();
});

test("an example and a new key are copied on a plain http name, and passkeys are not offered", async ({ page }) => {
  await page.goto("/api/docs");
  const copy = page.getByRole("button", { name: /^Copy: / }).first();
  await copy.click();
  await expect(page.getByRole("button", { name: /^Copied[.]/ })).toBeVisible();
  expect(await pasted(page)).toContain("curl");

  await page.goto("/");
  await page.getByRole("banner").getByRole("button", { name: "Get Started" }).click();
  await expect(page.getByRole("button", { name: "Sign in with Google" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toHaveCount(0);

  const person = somebody();
  const dialog = page.getByRole("dialog", { name: "Tintype" });
  await dialog.getByRole("tab", { name: "Sign Up" }).click();
  await dialog.getByLabel("Full Name").fill(person.name);
  await dialog.getByLabel("Email").fill(person.email);
  await dialog.getByLabel("Password", { exact: true }).fill(person.password);
  await dialog.getByLabel("Confirm Password").fill(person.password);
  await dialog.getByRole("button", { name: "Sign Up" }).click();
  await expect(dialog).toBeHidden();
  await page.goto("/account/security");
  await expect(page.getByText("only over a secure connection")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a passkey" })).toHaveCount(0);
  await page.goto("/account/keys");
  await expect(usageOn(page)).toBeVisible();
  await page.getByLabel("Name").first().fill("Laptop");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "Copy the key" }).click();
  expect(await pasted(page)).toMatch(/^tt_(live|test)_/);
});
