import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { dataOf, originOf, startOwnServer } from "./own-server.ts";
import { signedUp, somebody } from "./people.ts";

const cards = {
  good: "4111 1111 1111 1111",
  declined: "4000 0000 0000 0002",
  failsAtRenewal: "4000 0000 0000 0341",
  failsOnceAtRenewal: "4000 0000 0000 0259",
};
const card = (page: Page, plan: string): Locator => page.getByRole("region", { name: plan, exact: true });
const press = (page: Page, plan: string, label: string) =>
  card(page, plan).getByRole("button", { name: label, exact: true }).click();
const upgrade = (page: Page, plan: string) => press(page, plan, "Upgrade");
const checkoutOn = (page: Page) => page.frameLocator('iframe[title^="Payment"]');

const question = (page: Page) => page.getByRole("dialog", { name: /^Confirm/ });
/** The dialog's value for a label, such as `Charged today`. */
const fact = (page: Page, name: string | RegExp) =>
  question(page)
    .getByRole("definition")
    .and(question(page).locator("dt", { hasText: name }).locator("+ dd"));
const confirm = (page: Page) => question(page).getByRole("button", { name: "Confirm" }).click();
async function payWith(page: Page, number: string) {
  const checkout = checkoutOn(page);
  await checkout.getByText(number).click();
  await checkout.getByRole("button", { name: /^(Pay |Authorise the card)/ }).click();
}
async function subscribe(page: Page, plan: string, number = cards.good) {
  await upgrade(page, plan);
  await confirm(page);
  await payWith(page, number);
  await expect(page.getByText(`Subscribed to ${plan} successfully!`)).toBeVisible();
}

const dayMs = 86_400_000;
const clockPath = join(dataOf("billing"), "clock-offset-ms");
const clockOffsetMs = () => (existsSync(clockPath) ? Number(readFileSync(clockPath, "utf8")) : 0);
/** Permanently moves the server's clock forward. The server notices within a second, and acts within five. */
const advanceDays = (days: number) => writeFileSync(clockPath, String(clockOffsetMs() + days * dayMs));
/** Moves the clock to the end of a day, given as the page shows it. */
const advanceTo = (day: string) => advanceDays((Date.parse(`${day} UTC`) - Date.now() - clockOffsetMs()) / dayMs + 1);

/** Reloads the page until it shows a change that the server makes on its own schedule. */
const eventually = async (page: Page, sign: Locator) =>
  expect(async () => {
    await page.reload();
    await expect(sign).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 60_000 });
const planOn = (page: Page, plan: string) => page.getByRole("region", { name: "Your plan" }).getByText(plan);

// A separate server: a month forward would expire what other journeys keep for minutes.
const origin = originOf(2);
let server: Awaited<ReturnType<typeof startOwnServer>>;
test.use({ baseURL: origin });
test.beforeAll(async () => {
  server = await startOwnServer("billing", { origin });
});
test.afterAll(() => server.close());

test("a guest sees prices of their place and is asked to log in; a card that is declined and a window that is closed change nothing", async ({
  page,
  baseURL,
}) => {
  await page.setExtraHTTPHeaders({ "x-forwarded-for": "49.36.0.1" });
  await page.goto("/pricing");
  await expect(card(page, "Mini").getByText("₹255")).toBeVisible();
  await page.getByText("Yearly").click();
  await expect(card(page, "Pro").getByText("₹9,130")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await card(page, "Hobby").getByRole("button", { name: "Try Now" }).click();
  await expect(page.getByRole("dialog", { name: "Tintype" })).toBeVisible();

  await signedUp(page, { origin: String(baseURL) });
  await page.goto("/pricing");
  await expect(card(page, "Hobby").getByRole("button", { name: "Current Plan" })).toBeDisabled();
  await upgrade(page, "Plus");
  await expect(fact(page, "Charged today")).toHaveText("₹425");
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await upgrade(page, "Plus");
  await confirm(page);
  await payWith(page, cards.declined);
  await expect(checkoutOn(page).getByRole("alert")).not.toBeEmpty();
  await expect(page.getByText("Payment was cancelled or failed!")).toBeAttached();
  await checkoutOn(page).getByRole("button", { name: "Cancel" }).click();
  await expect(card(page, "Hobby").getByRole("button", { name: "Current Plan" })).toBeVisible();
  await page.goto("/account/transactions");
  await expect(page.getByRole("region", { name: "Payments" }).getByText("Failed")).toBeVisible();
});

test("upgrade, pay, see the plan, print the receipt, cancel, subscribe again, and delete the account with it", async ({
  page,
  baseURL,
}) => {
  test.slow(); // axe checks nine states, twice each
  const { email } = await signedUp(page, { origin: String(baseURL) });
  await page.goto("/pricing");
  await subscribe(page, "Plus");
  await expect(card(page, "Plus").getByRole("button", { name: "Current Plan" })).toBeDisabled();
  await expect(page.getByRole("banner").getByRole("meter")).toHaveAttribute("aria-valuetext", "0 of 500");
  // Hobby comes by a cancellation.
  await card(page, "Hobby").getByRole("button", { name: "Switch" }).click();
  await expect(page.getByRole("dialog").getByText(/^Plus ends on \w+ \d+, \d+, and you move to Hobby/)).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Keep Plus" }).click();

  await page.goto("/account");
  await expect(page.getByText("Active!")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("link", { name: "View Transaction History" }).click();
  await page.getByRole("link", { name: /^Receipt of/ }).click();
  const receipt = page.getByRole("article", { name: "Receipt" });
  await expect(receipt).toContainText("Tintype Plus, monthly");
  await expect(receipt).toContainText("Paid with a test card. No card was charged.");
  await expect(receipt).not.toContainText("Razorpay");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download PDF" }).click();
  const pdf = await saved;
  expect(pdf.suggestedFilename()).toMatch(/^tintype-.+[.]pdf$/);
  expect(readFileSync(await pdf.path(), "latin1")).toMatch(/^%PDF-1/);
  expect(await violationsOn(page)).toEqual([]);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("banner").first()).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("link", { name: "All transactions" }).click();
  await expect(page).toHaveURL("/account/transactions");
  expect(await violationsOn(page)).toEqual([]);

  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel Subscription" }).click();
  await expect(page.getByText(/^Subscription cancellation scheduled for \w+ \d+, \d+$/)).toBeVisible();
  await expect(page.getByText("Scheduled for Cancellation")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel Subscription" })).toBeHidden();

  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Keep my plan" }).click();
  await expect(page.getByText("You keep Plus.")).toBeVisible();
  await expect(page.getByText("Active!")).toBeVisible();

  await page.getByRole("link", { name: "Manage Plans" }).click();
  await press(page, "Mini", "Switch at renewal");
  await confirm(page);
  await payWith(page, cards.good);
  await expect(card(page, "Mini").getByRole("button", { name: "Scheduled" })).toBeDisabled();
  await expect(card(page, "Pro").getByRole("button", { name: "Upgrade" })).toBeDisabled();
  await expect(card(page, "Pro").getByText(/^You already have Mini scheduled for \w+ \d+, \d+\.$/)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  await page.goto("/account");
  // The plan comes later than the buttons, and moves them.
  await expect(page.getByText(/^Mini starts on /)).toBeVisible();
  await page.getByRole("button", { name: "Delete Account" }).click();
  const ends = page.getByRole("dialog").getByRole("listitem");
  await expect(ends.filter({ hasText: /^your Plus plan, paid until / })).toBeVisible();
  await expect(ends.filter({ hasText: /^the change to Mini on / })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByLabel("Enter your email to confirm").fill(email);
  await page.getByRole("dialog").getByRole("button", { name: "Delete Account" }).click();
  await expect(page).toHaveURL("/");
});

test("a switch at renewal charges nothing today; a charge that fails is told, and in the end it is Hobby again", async ({
  page,
  context,
  baseURL,
}) => {
  test.slow(); // the server acts on a schedule, every five seconds
  await signedUp(page, { origin: String(baseURL) });
  await page.goto("/pricing");
  await subscribe(page, "Mini");
  await press(page, "Pro", "Switch at renewal");
  await expect(fact(page, "Charged today")).toHaveText("$0");
  await expect(fact(page, "First charge")).toHaveText(/^\$10 on \w+ \d+, \d+, then every month until you cancel$/);
  expect(await violationsOn(page)).toEqual([]);
  await confirm(page);
  await expect(checkoutOn(page).getByText(/^today, then \$10 monthly from /)).toBeVisible();
  await payWith(page, cards.failsAtRenewal);
  await expect(
    page.getByText(/^Pro, billed monthly at \$10, is scheduled for \w+ \d+, \d+[.] Mini stays until then[.]$/),
  ).toBeVisible();
  await expect(card(page, "Pro").getByText(/^Pro, billed monthly at \$10, is scheduled for /)).toBeVisible();
  await expect(card(page, "Mini").getByRole("button", { name: "Current Plan" })).toBeVisible();

  // Undo the change, then choose it again.
  await press(page, "Mini", "Keep my plan");
  await expect(card(page, "Pro").getByRole("button", { name: "Upgrade now" })).toBeVisible();
  await press(page, "Pro", "Switch at renewal");
  await confirm(page);
  await payWith(page, cards.failsAtRenewal);
  await expect(card(page, "Pro").getByRole("button", { name: "Scheduled" })).toBeVisible();

  await page.goto("/account");
  await expect(page.getByText(/^Pro starts on /)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  const other = await context.newPage();
  await other.goto("/account");
  advanceDays(32);
  await eventually(page, page.getByText("Payment failed", { exact: true }));
  // Until the first charge has succeeded, the previous plan applies.
  await expect(planOn(page, "Mini")).toBeVisible();
  await expect(other.getByText("Payment failed", { exact: true })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  advanceDays(10);
  await eventually(page, planOn(page, "Hobby"));
  await expect(page.getByText("No subscription")).toBeVisible();
});

test("an upgrade now begins at once, and the unused days go back to the card", async ({ page, baseURL }) => {
  await signedUp(page, { origin: String(baseURL) });
  await page.goto("/pricing");
  await subscribe(page, "Mini");
  // By keyboard, from the button through the confirmation.
  await card(page, "Pro").getByRole("button", { name: "Upgrade now" }).focus();
  await page.keyboard.press("Enter");
  const sum = await fact(page, "You pay").innerText();
  const why = /\$10 today, and \$(\d\.\d\d) for \d+ unused days of Mini goes back to it within a few days[.]$/.exec(
    sum,
  );
  const amount = `$${why?.[1]}`;
  expect(sum).toMatch(new RegExp(`^\\$${(10 - Number(why?.[1])).toFixed(2)}\\s`));
  expect(await violationsOn(page)).toEqual([]);
  await question(page).getByRole("button", { name: "Confirm" }).focus();
  await page.keyboard.press("Enter");
  await payWith(page, cards.good);
  await expect(page.getByText("Subscribed to Pro successfully!")).toBeVisible();
  await expect(card(page, "Pro").getByRole("button", { name: "Current Plan" })).toBeDisabled();
  await expect(page.getByRole("banner").getByRole("meter")).toHaveAttribute("aria-valuetext", "0 of 1,000");
  await page.goto("/account/transactions");
  await expect(page.getByText(`${amount} refunded`)).toBeVisible();
  await expect(page.getByText("Test mode: no money was charged.")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
});

test("after sign-up from a plan's button the purchase goes on", async ({ page }) => {
  await page.goto("/pricing");
  await page.getByText("Yearly").click();
  await press(page, "Plus", "Get Started");
  const { name, email, password } = somebody();
  const dialog = page.getByRole("dialog", { name: "Tintype" });
  await dialog.getByRole("tab", { name: "Sign Up" }).click();
  await dialog.getByLabel("Full Name").fill(name);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByLabel("Confirm Password").fill(password);
  await dialog.getByRole("button", { name: "Sign Up" }).click();
  await expect(fact(page, "Charged today")).toHaveText("$54");
  await confirm(page);
  await payWith(page, cards.good);
  await expect(page.getByText("Subscribed to Plus successfully!")).toBeVisible();
  await expect(page).toHaveURL("/pricing");
});

test("a renewal that fails once and then goes through leaves the plan as it was", async ({ page, baseURL }) => {
  test.slow();
  await signedUp(page, { origin: String(baseURL) });
  await page.goto("/pricing");
  await subscribe(page, "Mini", cards.failsOnceAtRenewal);
  await page.goto("/account");
  const billed = await page.getByText(/^Billed monthly, next on/).innerText();
  // A failed charge is retried a day later.
  advanceTo(/next on (.*)[.]$/.exec(billed)?.[1] ?? "");
  await eventually(page, page.getByText("Payment failed", { exact: true }));
  advanceDays(2);
  await eventually(page, page.getByText("Active!"));
  await expect(planOn(page, "Mini")).toBeVisible();
});
