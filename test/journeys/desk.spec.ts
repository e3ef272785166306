import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { formatDay } from "../../packages/contract/src/index.ts";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { originOf, startOwnServer } from "./own-server.ts";
import { signedUp } from "./people.ts";
import { png } from "./pictures.ts";
import { phone } from "./studio-page.ts";

// The operator's desk, on a separate server: the first owner uses the link in the log.
const origin = originOf(4);
test.use({ baseURL: origin });

let server: Awaited<ReturnType<typeof startOwnServer>>;
let log = "";
test.beforeAll(async () => {
  server = await startOwnServer("desk", {
    origin,
    env: { TINTYPE_LOG_LEVEL: "info", MAIL: "log" },
    onOutput: (text) => {
      log += text;
    },
  });
});
test.afterAll(() => server.close());

/** Tabs to the element, as a keyboard user would. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let i = 0; i < 120; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the keyboard does not reach it");
}
async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Uses a credit and buys a plan, through the site's endpoints. */
async function bought(browser: Browser, plan: string): Promise<void> {
  const page = await browser.newPage({ baseURL: origin });
  await signedUp(page, { origin });
  const { token } = (await (await page.request.get("/idp/token")).json()) as { token: string }; // a session has one
  const headers = { authorization: `Bearer ${token}` };
  const used = await page.request.post("/api/compress/", {
    headers,
    multipart: { files: await png("a.png"), quality: "60" },
  });
  expect(used.status()).toBe(200);
  const ask = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers, data });
    expect(answer.status(), path).toBe(200);
    return (await answer.json()) as Record<string, string>; // names and ids
  };
  const chosen = { plan_id: plan, billing_cycle: "monthly" };
  const { subscription_id } = await ask("/api/create-payment-session", chosen);
  const { key } = (await (await page.request.get("/api/razorpay-key", { headers })).json()) as { key: string };
  const card = { number: "4111 1111 1111 1111", expiry: "12/49", code: "123" };
  const signed = await ask("/sandbox/razorpay/checkout/pay", { key_id: key, subscription_id, ...card });
  await ask("/api/upgrade-plan", { plan, billing_cycle: "monthly", payment_status: "success", ...signed });
  await page.close();
}

/** The link in a server's log that makes the first person its owner. */
async function claimLinkIn(readLog: () => string): Promise<string> {
  const find = () => /"link":"([^"]+\/admin\?claim=[^"]+)"/.exec(readLog())?.[1] ?? "";
  await expect.poll(find).not.toBe("");
  return find();
}

const missing = (page: Page) => page.getByRole("heading", { level: 1, name: "Page not found" });

test("strangers and people without a role see what an unknown address shows", async ({ page }) => {
  const answer = await page.goto("/admin");
  expect(answer?.status()).toBe(404);
  await expect(missing(page)).toBeVisible();
  await page.setViewportSize(phone);
  await expect(missing(page)).toBeVisible();
  expect(await page.title()).toContain("Page not found");
  const sent = async (path: string) => {
    const { "x-request-id": _id, date: _date, ...headers } = (await page.request.get(path)).headers();
    return { headers, html: await (await page.request.get(path)).text() };
  };
  expect(await sent("/admin")).toEqual(await sent("/nothing"));
  await signedUp(page, { origin });
  await page.goto("/admin?claim=wrong");
  await expect(missing(page)).toBeVisible();
});

test("an operator finds a person, gives credits, blocks, answers a message, and reads the audit log, by keyboard", async ({
  page,
  browser,
}) => {
  test.slow(); // axe checks six states, twice each
  const customer = await browser.newPage({ baseURL: origin });
  const person = await signedUp(customer, { origin });
  await customer.goto("/account");
  await expect(customer.getByRole("heading", { level: 1 })).toHaveText(person.name);
  const sent = await customer.request.post("/api/contact", {
    data: { name: "Ann Lee", email: person.email, message: "Where are my credits?" },
  });
  expect(sent.ok()).toBe(true);

  const operator = await signedUp(page, { origin });
  await page.goto(await claimLinkIn(() => log));
  await expect(page.getByRole("heading", { level: 1, name: "Desk" })).toBeVisible();
  await expect(page).toHaveURL("/admin");
  await expect(page.getByText(`${operator.email}, owner`)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  const field = page.getByRole("searchbox");
  await tabTo(page, field);
  await page.keyboard.type("nobody@example.org");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No results. Check the spelling.")).toBeVisible();
  await field.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(person.email);
  await page.keyboard.press("Enter");
  const found = page.getByRole("link", { name: person.email });
  await expect(found).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, found);
  await expect(page.getByRole("heading", { level: 2, name: person.email })).toBeVisible();
  await expect(page.getByText("0 of 100 used this month")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  await pressOn(page, page.getByRole("button", { name: "Give credits" }));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await tabTo(page, dialog.getByLabel("Credits"));
  await page.keyboard.type("25");
  await tabTo(page, dialog.getByLabel("Reason"));
  await page.keyboard.type("A slow day");
  await page.keyboard.press("Enter");
  await expect(page.getByText("0 of 125 used this month")).toBeVisible();
  await expect(page.getByText("Credits adjusted")).toBeVisible();

  await pressOn(page, page.getByRole("button", { name: "Block" }));
  await tabTo(page, dialog.getByLabel("Reason"));
  await page.keyboard.type("Spam");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Blocked since")).toBeVisible();
  expect((await customer.request.post("/idp/sign-in/email", { data: person, headers: { origin } })).status()).toBe(403);
  // The block has ended the session; signing in again shows why.
  await customer.goto("/account");
  const login = customer.getByRole("dialog");
  await login.getByLabel("Email").fill(person.email);
  await login.getByLabel("Password", { exact: true }).fill(person.password);
  await login.getByRole("button", { name: "Log In", exact: true }).click();
  await expect(login.getByText("This account is blocked.")).toBeVisible();
  await customer.close();

  await page.setViewportSize(phone);
  await pressOn(page, page.getByRole("link", { name: "Messages" }));
  await expect(page.getByText("Where are my credits?")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, page.getByRole("button", { name: "Answer Ann Lee" }));
  await tabTo(page, dialog.getByLabel("Answer"));
  await page.keyboard.type("You have them now.");
  await pressOn(page, dialog.getByRole("button", { name: "Send" }));
  await expect(page.getByText("No message is open.")).toBeVisible();

  await pressOn(page, page.getByRole("link", { name: "Audit log" }));
  for (const words of ["Message answered", "Person blocked", "Credits adjusted", "Role granted"])
    await expect(page.getByText(words)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  await bought(browser, "plus");
  await pressOn(page, page.getByRole("link", { name: "Figures" }));
  await expect(page).toHaveURL("/admin/figures");
  const plot = (name: string | RegExp) => page.getByRole("img", { name });
  await expect(plot(/^Revenue in USD, test mode by the day, .+: \$5 from 1 payment/)).toBeVisible();
  await expect(plot(/^New and lost subscriptions by the day, .+: 1 new, 0 lost[.]$/)).toBeVisible();
  await expect(plot(/^Hobby by the day, .+: 1 credit[.]$/)).toBeVisible();
  await expect(plot(/^Compress by the day, .+: 1 credit[.]$/)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await tabTo(page, page.getByLabel("Period"));
  await page.getByLabel("Period").selectOption("12 months");
  await expect(plot(/^Revenue in USD, test mode by the month/)).toBeVisible();
  await pressOn(page, page.locator("summary", { hasText: "Revenue in USD" }));
  const table = page.getByRole("region", { name: "Revenue in USD, test mode" }).getByRole("table");
  await expect(table.getByRole("row")).toHaveText([/^Month/, /1\$5\$0\$5$/, /^Total1\$5\$0\$5$/]);
  expect(await violationsOn(page)).toEqual([]);
});

test.describe("with machines that take no pictures", () => {
  // Jobs stay queued until they are cancelled.
  const idle = originOf(5);
  test.use({ baseURL: idle });
  let machines: Awaited<ReturnType<typeof startOwnServer>>;
  let idleLog = "";
  test.beforeAll(async () => {
    machines = await startOwnServer("desk-idle", {
      origin: idle,
      env: { TINTYPE_LOG_LEVEL: "info", MAIL: "log", TINTYPE_WORK: "model" },
      onOutput: (text) => {
        idleLog += text;
      },
    });
  });
  test.afterAll(() => machines.close());

  test("an owner grants a plan, which the person sees, and ends a job that waits, by keyboard", async ({
    page,
    browser,
  }) => {
    test.slow(); // axe checks five states
    const customer = await browser.newPage({ baseURL: idle });
    const person = await signedUp(customer, { origin: idle });
    await customer.goto("/account");
    await expect(customer.getByText("No subscription")).toBeVisible();
    const begun = await customer.request.post("/api/compress/", {
      headers: { prefer: "respond-async" },
      multipart: { files: await png("a.png"), quality: "60" },
    });
    const job = begun.headers()["location"] ?? "";

    await signedUp(page, { origin: idle });
    await page.goto(await claimLinkIn(() => idleLog));
    await expect(page.getByRole("heading", { level: 1, name: "Desk" })).toBeVisible();
    await page.goto(`/admin?q=${encodeURIComponent(person.email)}`);
    await pressOn(page, page.getByRole("link", { name: person.email }));
    await pressOn(page, page.getByRole("button", { name: "Grant plan" }));
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
    const day = new Date(Date.now() + 60 * 86_400_000);
    await dialog.getByLabel("Until").fill(day.toISOString().slice(0, 10));
    await tabTo(page, dialog.getByLabel("Reason"));
    await page.keyboard.type("A school");
    await page.keyboard.press("Enter");
    const words = `Pro until ${formatDay(day)}, granted`;
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByText("0 of 1,000 used today")).toBeVisible();
    await customer.reload();
    await expect(customer.getByText(words)).toBeVisible();
    await pressOn(page, page.getByRole("button", { name: "End granted plan" }));
    await tabTo(page, dialog.getByLabel("Reason"));
    await page.keyboard.type("A mistake");
    await page.keyboard.press("Enter");
    await expect(page.getByText("0 of 100 used this month")).toBeVisible();

    await page.setViewportSize(phone);
    await pressOn(page, page.getByRole("link", { name: "Jobs", exact: true }));
    await expect(page).toHaveURL("/admin/jobs");
    await page.getByLabel("Show").selectOption("Waiting");
    const end = page.getByRole("button", { name: `End the job ${job.split("/").at(-1)}` });
    await expect(end).toBeVisible();
    await expect(page.getByText(/guest, job_/)).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
    await pressOn(page, end);
    await tabTo(page, dialog.getByLabel("Reason"));
    await page.keyboard.type("It hangs");
    await page.keyboard.press("Enter");
    await expect(page.getByText("No such jobs.")).toBeVisible();
    expect(await (await customer.request.get(job)).json()).toMatchObject({ state: "cancelled" });
    await customer.close();
    for (const [name, heading] of [
      ["Deliveries", "Deliveries that failed"],
      ["Networks", "Networks today"],
    ] as const) {
      await pressOn(page, page.getByRole("link", { name }));
      await expect(page.getByRole("heading", { level: 2, name: heading })).toBeVisible();
      expect(await violationsOn(page)).toEqual([]);
    }

    await pressOn(page, page.getByRole("link", { name: "Invitations" }));
    await expect(page.getByText("Nobody has been invited yet.")).toBeVisible();
    await page.getByLabel("Email").fill("ben@example.com");
    await page.getByLabel("Role at the desk").selectOption("Support");
    await page.getByLabel("Reason").fill("Joins us on Monday");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Open, role support, until")).toBeVisible();
    const link = await page.getByRole("status").locator("code").textContent();
    expect(link).toMatch(new RegExp(`^${idle}/join/[\\w-]{32}$`));
    await page.evaluate(() => window.scrollTo(0, 0)); // the header lies over links that are scrolled under it
    expect(await violationsOn(page)).toEqual([]);
    await pressOn(page, page.getByRole("button", { name: "Revoke the invitation of ben@example.com" }));
    await tabTo(page, dialog.getByLabel("Reason"));
    await page.keyboard.type("Went elsewhere");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Revoked, role support, until")).toBeVisible();
    await page.goto(String(link));
    await expect(page).toHaveURL("/account/join?ended");
  });
});
