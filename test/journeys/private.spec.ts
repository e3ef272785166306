import { type Browser, expect, type Page } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { originOf, startOwnServer } from "./own-server.ts";
import { type Somebody, somebody } from "./people.ts";
import { jpeg } from "./pictures.ts";
import { bothWidths, studioOn } from "./studio-page.ts";

// A private installation, on a separate server: its owner is whoever has the link in the log.
const origin = originOf(12);
test.use({ baseURL: origin });

let server: Awaited<ReturnType<typeof startOwnServer>>;
let log = "";
test.beforeAll(async () => {
  server = await startOwnServer("private", {
    origin,
    env: { TINTYPE_MODE: "private", TINTYPE_LOG_LEVEL: "info" },
    onOutput: (text) => {
      log += text;
    },
  });
});
test.afterAll(() => server.close());

const sold = /\bcredits?\b|\bpric(?:e|es|ing)\b|\bupgrade|\binvoices?\b|\bsubscri|\bplans?\b|[$₹]\d/i;

/** What the page shows names nothing that is sold. */
async function expectNothingSold(page: Page, part = "body"): Promise<void> {
  // Waits for what the account's requests bring.
  await page.waitForLoadState("networkidle");
  expect(sold.exec(await page.locator(part).innerText())?.[0], page.url()).toBeUndefined();
}

/** Creates an account by the form that an invitation's page opens. */
async function joinAs(page: Page, { name, email, password }: Somebody): Promise<void> {
  await page.getByRole("button", { name: "Create an account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Full Name").fill(name);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByLabel("Confirm Password").fill(password);
  await dialog.getByRole("button", { name: "Sign Up", exact: true }).click();
  await expect(page).toHaveURL(`${origin}/account`);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

const inAnotherBrowser = async <Result>(browser: Browser, act: (page: Page) => Promise<Result>): Promise<Result> => {
  const page = await browser.newPage({ baseURL: origin });
  try {
    return await act(page);
  } finally {
    await page.close();
  }
};

test("a private installation is set up by the link in its log, shows nothing that is sold, and lets in whom its owner invites", async ({
  page,
  browser,
}) => {
  test.slow(); // axe checks three states
  await page.goto("/pricing");
  await expect(page).toHaveURL(`${origin}/`);
  await expectNothingSold(page, "header");
  await expectNothingSold(page, "section[aria-label=Studio]");
  const stranger = await page.request.post("/idp/sign-up/email", { data: somebody(), headers: { origin } });
  expect(stranger.status()).toBe(403);
  expect((await stranger.json()).message).toContain("You need an invitation to create an account here.");

  await expect.poll(() => log).toMatch(/\/join\/[\w-]{32}/);
  const setUp = /http:\S+?\/join\/[\w-]{32}/.exec(log)?.[0] ?? "";
  await page.goto(setUp);
  await expect(page.getByRole("heading", { level: 1, name: "Set up Tintype" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await joinAs(page, somebody("Ada Owner"));
  await expectNothingSold(page, "main");

  const studio = studioOn(page);
  for (const [index, viewport] of bothWidths.entries()) {
    await page.setViewportSize(viewport);
    await studio.open();
    await studio.choose(await jpeg(`${index}.jpg`, 640 + index, 480));
    await expectNothingSold(page);
    await studio.submit.click();
    await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
    await expectNothingSold(page);
    for (const path of ["/account", "/account/usage", "/account/keys"]) {
      await page.goto(path);
      await expectNothingSold(page, "main");
    }
  }
  await page.goto("/account");
  await expect(page.getByText("Done this month")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  await page.goto("/admin/invitations");
  await page.getByLabel("Reason").fill("Joins us on Monday");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await page.getByRole("status").locator("code").textContent();
  const another = await inAnotherBrowser(browser, async (guest) => {
    await guest.goto(String(link));
    await expect(guest.getByRole("heading", { level: 1, name: "You are invited to Tintype" })).toBeVisible();
    expect(await violationsOn(guest)).toEqual([]);
    const invited = somebody("Ben Invited");
    await joinAs(guest, invited);
    return invited;
  });
  await inAnotherBrowser(browser, async (guest) => {
    await guest.goto(String(link));
    await expect(guest.getByRole("heading", { level: 1, name: "This invitation has ended" })).toBeVisible();
  });
  await page.goto(`/admin?q=${encodeURIComponent(another.email)}`);
  await expect(page.getByRole("link", { name: another.email })).toBeVisible();
});
