import { createHmac } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { type Somebody, signedUp } from "./people.ts";
import { phone } from "./studio-page.ts";

const dialogOn = (page: Page, name: string) => page.getByRole("dialog", { name });
const toast = (page: Page, words: string) => page.getByText(words);

/** A platform authenticator that unlocks at once, like a fingerprint that always matches. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The current six-digit TOTP (RFC 6238, 30-second step) of a base32 key. `ahead`: of a later step, since each works once. */
function totpOf(key: string, ahead = 0): string {
  const bits = [...key.replace(/=+$/, "")]
    .map((one) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(one).toString(2).padStart(5, "0"))
    .join("");
  const bytes = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const hash = createHmac("sha1", bytes).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function logOutAndAskForAccount(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/account");
  await expect(dialogOn(page, "Tintype")).toBeVisible();
}
async function typePassword(page: Page, { email, password }: Somebody): Promise<void> {
  const dialog = dialogOn(page, "Tintype");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button", { name: "Log In" }).click();
}

test("a passkey is added, signs in without a password, and signs nobody in once it is removed", async ({
  page,
  baseURL,
}) => {
  test.slow(); // axe checks two states, twice each
  await addAuthenticator(page);
  const person = await signedUp(page, { origin: String(baseURL) });
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Add a passkey" }).press("Enter");
  const dialog = dialogOn(page, "Add a passkey");
  await expect(dialog).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByLabel("Name").fill("Ann's laptop");
  await page.keyboard.press("Enter");
  await expect(toast(page, "Passkey added.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Ann's laptop" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  await logOutAndAskForAccount(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL("/account");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(person.name);

  await page.goto("/account/security");
  await page.getByRole("button", { name: "Remove Ann's laptop" }).click();
  await dialogOn(page, "Remove passkey").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("heading", { name: "Ann's laptop" })).toBeHidden();
  await logOutAndAskForAccount(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("This passkey does not belong to an account here.")).toBeVisible();
});

test("with an authenticator app the password alone does not sign in; a code does, and a recovery code once", async ({
  page,
  baseURL,
}) => {
  test.slow(); // axe checks three states, twice each
  const person = await signedUp(page, { origin: String(baseURL) });
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Add an app" }).click();
  const dialog = dialogOn(page, "Add an authenticator app");
  await dialog.getByLabel("Password").fill("not this one");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("The current password is wrong.");
  await dialog.getByLabel("Password").fill(person.password);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("img", { name: "QR code" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  const key = await dialog.locator("code").innerText();
  await dialog.getByLabel("Code from the app").fill(totpOf(key));
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("listitem")).toHaveCount(10);
  const codes = await dialog.getByRole("listitem").allInnerTexts();
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByText("On. Signing in takes your password and a code.")).toBeVisible();

  await page.setViewportSize(phone);
  await logOutAndAskForAccount(page);
  await typePassword(page, person);
  const login = dialogOn(page, "Tintype");
  await expect(login.getByRole("heading", { name: "Second step" })).toBeVisible();
  await expect(login.getByLabel("Code")).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  await login.getByLabel("Code").fill("000000");
  await page.keyboard.press("Enter");
  await expect(login.getByText("Wrong code.")).toBeVisible();
  await login.getByLabel("Code").fill(totpOf(key, 1));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account");

  for (const isFirst of [true, false]) {
    await logOutAndAskForAccount(page);
    await typePassword(page, person);
    await login.getByRole("button", { name: "Use a recovery code" }).click();
    await login.getByLabel("Recovery code").fill(String(codes[0]));
    await page.keyboard.press("Enter");
    if (isFirst) await expect(page).toHaveURL("/account");
    else await expect(login.getByText("Wrong code.")).toBeVisible();
  }
});

test("the list of sessions shows every browser, and ends one that is not this", async ({ page, browser, baseURL }) => {
  const origin = String(baseURL);
  const person = await signedUp(page, { origin });
  const elsewhere = await browser.newContext({
    baseURL: origin,
    userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
  });
  const data = { email: person.email, password: person.password };
  expect((await elsewhere.request.post("/idp/sign-in/email", { data, headers: { origin } })).status()).toBe(200);
  expect((await elsewhere.request.get("/idp/token")).status()).toBe(200);
  await page.goto("/account");
  await page.getByRole("link", { name: "Sign-in and Security" }).click();
  await page.getByRole("button", { name: /^End Firefox on Windows/ }).click();
  await dialogOn(page, "End this session").getByRole("button", { name: "End" }).click();
  await expect(page.getByRole("heading", { name: "Firefox on Windows" })).toBeHidden();
  expect((await elsewhere.request.get("/idp/token")).status()).toBe(401);
  await expect(page.getByText(/^This browser/)).toBeVisible();
  await elsewhere.close();
});

test("a key asks for a fresh sign-in where the last one is long ago, and is made then", async ({ page, baseURL }) => {
  const person = await signedUp(page, { origin: String(baseURL) });
  let refusals = 0;
  // A journey cannot wait for half an hour. sessions.test.ts tests the server's limit.
  await page.route(/\/api\/keys\/?$/, async (route) => {
    if (route.request().method() !== "POST" || refusals++ > 0) return route.continue();
    const json = {
      status: 403,
      type: "/api/docs#error-fresh-sign-in-required",
      title: "Sign in again",
      detail: "Please sign in again.",
    };
    return route.fulfill({ status: 403, contentType: "application/problem+json", json });
  });
  await page.goto("/account/keys");
  await page.getByLabel("Name").fill("Build server");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = dialogOn(page, "Confirm it’s you");
  await expect(dialog.getByLabel("Password")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByLabel("Password").fill("not this one");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Wrong password.");
  await dialog.getByLabel("Password").fill(person.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Copy the key “Build server” now.")).toBeVisible();
  await expect(dialog).toBeHidden();
});
