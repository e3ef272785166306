import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { commandFromSource } from "../tools/command.ts";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { signedUp, somebody } from "./people.ts";
import { jpeg } from "./pictures.ts";
import { phone } from "./studio-page.ts";

const loginOn = (page: Page) => page.getByRole("dialog", { name: "Tintype" });

/** Expects that the command can use the server with the copied key. */
async function expectCommandToCompress({ key, origin }: { key: string; origin: string }): Promise<void> {
  const room = mkdtempSync(join(tmpdir(), "tintype-journey-command-"));
  const command = commandFromSource(room);
  expect((await command.run(["login", "--server", origin], { input: `${key}\n` })).stderr).toContain("Signed in at");
  const photo = (await jpeg("sea.jpg")).buffer;
  const { code, stderr, bytes } = await command.run(["compress", "-"], { input: photo });
  rmSync(room, { recursive: true });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`Pictures go to ${origin}.`) });
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  expect(bytes.length).toBeLessThan(photo.length);
}

test("every page of the account sends the signed-out home with the login dialog open, and they come back once they are in", async ({
  page,
  context,
  baseURL,
}) => {
  const person = somebody();
  const origin = String(baseURL);
  expect((await page.request.post("/idp/sign-up/email", { data: person, headers: { origin } })).status()).toBe(200);
  await context.clearCookies();
  for (const path of ["", "/keys", "/transactions", "/webhooks", "/security", "/usage"]) {
    await page.goto(`/account${path}`);
    await expect(loginOn(page)).toBeVisible();
    await expect(page).toHaveURL("/");
  }
  await page.keyboard.press("Escape");
  await expect(loginOn(page)).toBeHidden();
  await expect(page).toHaveURL("/");

  await page.goto("/account/usage");
  await expect(loginOn(page).getByLabel("Email")).toBeFocused();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account/usage");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(loginOn(page)).toBeHidden();
});

test("API keys by keyboard alone: made, copied, rotated and revoked, and the focus is never lost", async ({
  page,
  context,
  baseURL,
}) => {
  test.slow(); // axe checks four states, twice each
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signedUp(page, { origin: String(baseURL) });
  await page.goto("/account/keys");
  await expect(page.getByText("You have no keys yet.")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByLabel("Name").focus();
  await page.keyboard.type("Build server");
  await press("Tab", "Space", "Space"); // off and on again
  const create = page.getByRole("button", { name: "Create key" });
  await expect(async () => {
    await press("Tab");
    await expect(create).toBeFocused({ timeout: 100 });
  }).toPass();
  await press("Enter");
  const told = page.getByRole("status").filter({ hasText: "Copy the key “Build server” now." });
  await expect(told).toBeVisible();
  await expect(create).toBeFocused();
  await told.getByRole("button", { name: "Copy the key Build server" }).focus();
  await press("Enter");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^tt_live_\w+$/);
  await expectCommandToCompress({ key: await copied(), origin: String(baseURL) });
  expect(await violationsOn(page)).toEqual([]);

  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: /^Build server/ }) });
  const rotate = row.getByRole("button", { name: /^Rotate Build server, …\w{4}$/ });
  const revoke = row.getByRole("button", { name: /^Revoke Build server, …\w{4}$/ });
  await expect(row).toHaveCount(1);
  for (const button of [rotate, revoke]) {
    await button.focus();
    await press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
    await press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(button).toBeFocused();
  }
  await page.setViewportSize(phone);
  // To the dialog's button, which follows the close button and the choice, if there is one.
  await rotate.focus();
  await press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await press("Tab", "Tab", "Enter");
  await expect(row).toHaveCount(2);
  await expect(page.getByRole("dialog")).toBeHidden();
  await revoke.first().focus();
  await press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await press("Tab", "Enter");
  await expect(row).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Your keys" })).toBeFocused();
});

test("on a phone a new key comes into view, for it is shown once and far above the button", async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize(phone);
  await signedUp(page, { origin: String(baseURL) });
  await page.goto("/account/keys");
  await page.getByLabel("Name").fill("Phone");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("button", { name: "Copy the key Phone" })).toBeInViewport();
});

test("the account's dialogs give the focus back to their buttons, the first time too", async ({ page, baseURL }) => {
  await signedUp(page, { origin: String(baseURL) });
  await page.goto("/account");
  for (const name of ["Update Password", "Delete Account"]) {
    const button = page.getByRole("button", { name });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(button).toBeFocused();
  }
});

test("usage by tool and key with its CSV, and webhooks with their dialogs, by keyboard and without findings of axe", async ({
  page,
  baseURL,
}) => {
  test.slow(); // axe checks three states, twice each
  await signedUp(page, { origin: String(baseURL) });
  const { token } = await (await page.request.get("/idp/token")).json();
  const answer = await page.request.post("/api/compress/", {
    headers: { authorization: `Bearer ${token}` },
    multipart: { quality: "60", files: await jpeg("sea.jpg") },
  });
  expect(answer.status()).toBe(200);
  await page.goto("/account/usage");
  await expect(page.getByRole("heading", { name: "1 credit", exact: true })).toBeVisible();
  const tool = page.getByRole("button", { name: /^Compress/ });
  await tool.press("Enter");
  await expect(tool).toHaveAttribute("aria-pressed", "true");
  expect(await violationsOn(page)).toEqual([]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).press("Enter");
  expect(readFileSync(await (await download).path(), "utf8")).toContain("compress");

  await page.goto("/account/webhooks");
  await page.getByLabel("Address").fill("https://shop.example/hook");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^Copy the secret of/).first()).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: /^Remove https/ }).press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
  await expect(page.getByText("You have no webhooks yet.")).toBeVisible();
});
