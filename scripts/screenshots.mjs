// npm run screenshots [-- --base=http://localhost:3000 --only=faqs --out=FOLDER --widths=390,1440]: every page and state of
// the built site (`npm run build` first) in both lights, for the eye. They are not kept in the repository.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { holdStream } from "../test/journeys/held-stream.ts";
import { startSite } from "./running-site.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    base: { type: "string" },
    only: { type: "string" },
    widths: { type: "string", default: "390,1440" },
    out: { type: "string", default: join(root, "test-results/screenshots") },
  },
});
const widths = values.widths.split(",").map(Number);
const heights = { 390: 844, 820: 1180, 1440: 900 };

const { origin, data, stop } = await startSite(values.base);
mkdirSync(values.out, { recursive: true });

/** States of an account and of its plan. */
const personStates = [
  { name: "confirm-first-plan", path: "/pricing", prepare: (page) => askForPlan(page, "Plus", "Upgrade") },
  { name: "checkout", path: "/pricing", prepare: openCheckout },
  { name: "upgrade-dialog", path: "/pricing", prepare: onMini((page) => askForPlan(page, "Pro", "Upgrade now")) },
  { name: "switch-dialog", path: "/pricing", prepare: onMini((page) => askForPlan(page, "Pro", "Switch at renewal")) },
  { name: "pricing-paid", path: "/pricing", prepare: onMini(), isWhole: true },
  { name: "pricing-scheduled", path: "/pricing", prepare: onMini(scheduleChange), isWhole: true },
  { name: "account-scheduled", path: "/account", prepare: onMini(scheduleChange), isWhole: true },
  { name: "account-paid", path: "/account", prepare: onMini(runBatches), isWhole: true },
  { name: "cancel-dialog", path: "/account", prepare: onMini(askToCancel) },
  { name: "account-cancelled", path: "/account", prepare: onMini(cancelPlan), isWhole: true },
  { name: "transactions-upgraded", path: "/account/transactions", prepare: onMini(upgradeNow), isWhole: true },
  { name: "receipt", path: "/account/transactions", prepare: onMini(openReceipt), isWhole: true },
  { name: "password-dialog", path: "/account", prepare: (page) => openDialog(page, "Update Password") },
  { name: "delete-dialog", path: "/account", prepare: onMini((page) => openDialog(page, "Delete Account")) },
  { name: "key-made", path: "/account/keys", prepare: makeKey, isWhole: true },
  { name: "key-dialog", path: "/account/keys", prepare: revokeKey },
];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>[^<]*?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, path]) => path || "/");
  const pages = [...listed, "/nothing-here", "/blog/nothing-here"].map((path) => ({ name: nameOf(path), path }));
  const states = [
    ...pages.map(({ name, path }) => ({ name, path, prepare: async () => {}, isWhole: true })),
    { name: "home-menu", path: "/", prepare: openMenu },
    { name: "login", path: "/", prepare: openLogin },
    { name: "login-refused", path: "/", prepare: failLogin },
    { name: "signup", path: "/", prepare: openSignUp },
    ...["resize", "upscale", "removeBackground", "convert"].map((tool) => ({
      ...{ name: `tool-${tool}`, path: `/#${tool}`, prepare: showTool },
    })),
    { name: "obstacle", path: "/", prepare: meetObstacle },
    { name: "judged", path: "/#upscale", prepare: judgeBatch },
    { name: "waiting", path: "/#resize", prepare: waitInLine },
    { name: "interrupted", path: "/#resize", prepare: loseConnection },
    { name: "offline", path: "/#resize", prepare: goOffline },
    { name: "studio", path: "/", prepare: useStudio },
    { name: "cutout", path: "/", prepare: (page) => trySample(page, "Cut it out") },
    { name: "batch", path: "/", prepare: useBatch },
    { name: "recalled", path: "/", prepare: recallResult },
    { name: "refused", path: "/", prepare: refuseBatch },
    { name: "removed", path: "/", prepare: removeAll },
    { name: "recent", path: "/", prepare: showRecent },
    { name: "out-of-credits-guest", path: "/", prepare: exceedAllowance },
    { name: "short-of-credits", path: "/", prepare: (page) => fallShort(page, 98), isPerson: true },
    { name: "out-of-credits", path: "/", prepare: (page) => fallShort(page, 100), isPerson: true },
    { name: "usage-error", path: "/about", prepare: failUsage, isPerson: true },
    { name: "contact-failed", path: "/contact", prepare: failMessage },
    ...["/account", "/account/transactions", "/account/keys", "/pricing"].map((path) => ({
      ...{ name: `person-${nameOf(path)}`, path, prepare: async () => {}, isPerson: true, isWhole: true },
    })),
    { name: "person-studio", path: "/", prepare: async () => {}, isPerson: true },
    { name: "set-password", path: "/account/set-password?token=x", prepare: async () => {} },
    ...personStates.map((state) => ({ ...state, isPerson: true })),
    // The last one moves the server's clock.
    ...(data
      ? [{ name: "account-past-due", path: "/account", prepare: failRenewal, isPerson: true, isWhole: true }]
      : []),
  ].filter(({ name }) => !values.only || values.only.split(",").includes(name));

  for (const { name, path, prepare, isPerson = false, isWhole = false } of states)
    for (const width of widths)
      for (const colorScheme of ["light", "dark"]) {
        const context = await browser.newContext({
          viewport: { width, height: heights[width] },
          colorScheme,
          reducedMotion: "reduce",
          extraHTTPHeaders: {
            "x-forwarded-for": `2001:db8:${states.findIndex((state) => state.name === name)}:${width}::1`,
          },
        });
        const page = await context.newPage();
        if (isPerson) await signUp(page);
        await page.goto(origin + path, { waitUntil: "networkidle" });
        // One state that cannot be reached keeps none of the others from being seen.
        await prepare(page).catch((problem) => {
          console.error(`${name}, ${width} px, ${colorScheme}: ${problem.message.split("\n")[0]}`);
          process.exitCode = 1;
        });
        if (isWhole) await scrollThrough(page);
        await page.screenshot({ path: join(values.out, `${name}-${width}-${colorScheme}.png`), fullPage: isWhole });
        await context.close();
      }
  console.log(`${values.out}: ${states.length} pages and states, ${states.length * widths.length * 2} pictures`);
} finally {
  await browser.close();
  await stop();
}

function nameOf(path) {
  return path === "/" ? "home" : path.slice(1).replaceAll("/", "-");
}

async function openMenu(page) {
  const menu = page.getByRole("button", { name: "Open menu" });
  if (await menu.isVisible()) await menu.click();
}

async function openLogin(page) {
  await page.getByRole("button", { name: "Get Started" }).first().click();
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(300);
}

async function openSignUp(page) {
  await openLogin(page);
  await page.getByRole("dialog").getByRole("tab", { name: "Sign Up" }).click();
  await settle(page);
}

/** Signs up by the provider's own call, and lets the page know. */
async function signUp(page) {
  const email = `person-${Date.now()}@example.com`;
  const data = { name: "Ann Lee", email, password: "correct horse 1" };
  await page.request.post(`${origin}/idp/sign-up/email`, { data, headers: { origin } });
  await page.addInitScript(() => localStorage.setItem("tintype.session", "somebody"));
}

async function showTool(page) {
  await settle(page);
}

async function meetObstacle(page) {
  await submit(page);
  await page.locator("#studio-obstacle p").waitFor();
  await settle(page);
}

/** One picture that is too large for the factor, one that is none, and one that can go. */
async function judgeBatch(page) {
  await choose(page, ["samples/still-life.jpg", "samples/glasses-small.jpg"]);
  await picker(page).setInputFiles([{ name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no picture") }]);
  await page.getByRole("radio", { name: "8×" }).check();
  await page.getByRole("status", { name: "Cannot go along" }).waitFor();
  await settle(page);
}

/** A batch whose server has others to serve first. */
async function waitInLine(page) {
  await choose(page, ["samples/still-life.jpg", "samples/brush.jpg"]);
  await page.getByLabel("Width").fill("800");
  const files = ["still-life.jpg", "brush.jpg"].map((name, index) => ({
    ...{ index, name, state: "waiting", progress: 0, notes: [], delivered: false },
  }));
  const job = { id: "j", operation: "resize", state: "queued", progress: 0, position: 3, files };
  const event = { type: "snapshot", job: { ...job, created_at: new Date().toISOString() } };
  const stream = await holdStream(event);
  page.once("close", () => stream.close());
  await page.route("**/api/jobs/*/events", (route) => route.continue({ url: stream.url }));
  await submit(page);
  await page
    .getByText(/before yours/)
    .first()
    .waitFor();
  await settle(page);
}

/** The events of a batch break off at each attempt; `before` happens ahead of the first. */
async function breakEvents(page, before, words) {
  await choose(page, ["samples/still-life.jpg", "samples/brush.jpg"]);
  await page.getByLabel("Width").fill("800");
  await page.route("**/api/jobs/*/events", async (route) => {
    await before();
    await route.abort();
  });
  await submit(page);
  await page.getByText(words).waitFor();
  await settle(page);
}

function loseConnection(page) {
  return breakEvents(page, async () => {}, /Trying to reach the server again/);
}

function goOffline(page) {
  return breakEvents(page, () => page.context().setOffline(true), /You are offline/);
}

/** Compresses one of our samples, and shows it before and after. */
async function useStudio(page) {
  await trySample(page, "Make it lighter");
}

async function trySample(page, wish) {
  await page.getByRole("button", { name: wish }).click();
  await page.getByText("No credit: already done").first().waitFor();
  await submit(page);
  await page
    .getByRole("button", { name: /^Download/ })
    .first()
    .waitFor({ timeout: 60_000 });
  await settle(page);
}

/** Compresses as many pictures as a guest may, and shows the first beside its original. */
async function useBatch(page) {
  const files = ["samples/brush.jpg", "samples/letter.png", "weave-1280.webp", "glass-1280.webp", "curve-1280.webp"];
  await choose(page, files);
  await compress(page);
}

/** The same once more: what is here is shown, and nothing is charged. */
async function recallResult(page) {
  await choose(page, ["samples/brush.jpg"]);
  await compress(page);
  await submit(page);
  await page.getByRole("button", { name: /^Run again/ }).waitFor();
  await settle(page);
}

async function refuseBatch(page) {
  await choose(page, ["samples/brush.jpg"]);
  await page.route("**/api/compress/", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({ detail: "Something went wrong on our side. Please try again.", requestId: "req_7f3k" }),
    }),
  );
  await page.getByLabel("Quality").fill("65");
  await submit(page);
  await page.locator("#studio-obstacle p").waitFor();
  await settle(page);
}

async function removeAll(page) {
  await choose(page, ["samples/brush.jpg", "samples/letter.png"]);
  await page.getByRole("button", { name: "Remove all" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await settle(page);
}

async function showRecent(page) {
  await choose(page, ["samples/brush.jpg", "samples/letter.png"]);
  await compress(page);
  await page.waitForTimeout(1500);
  await page.reload({ waitUntil: "networkidle" });
  await page.getByRole("heading", { name: "Recent results" }).scrollIntoViewIfNeeded();
  await page.waitForTimeout(600);
}

async function exceedAllowance(page) {
  const { length } = await choose(
    page,
    [..."123456"].map(() => "samples/glasses-small.jpg"),
  );
  if (length !== 6) throw new Error("A guest's batch of six is wanted");
  await page.getByLabel("Quality").fill("65");
  await submit(page);
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("status").filter({ hasText: "This needs 6 credits" }).waitFor();
  await settle(page);
}

async function fallShort(page, used) {
  for (const [call, change] of [
    ["user-info", { service_count: used }],
    ["config", { usage: { used, limit: 100 } }],
  ])
    await page.route(`**/api/${call}`, async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, ...change } });
    });
  await page.reload({ waitUntil: "networkidle" });
  await choose(page, ["samples/brush.jpg", "samples/letter.png", "glass-1280.webp"]);
  await page.getByLabel("Quality").fill("65");
  await submit(page);
  await page.getByRole("link", { name: "See the plans" }).waitFor();
  await settle(page);
}

async function failLogin(page) {
  await openLogin(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("nobody@example.com");
  await dialog.getByLabel("Password").fill("not this one");
  await dialog.getByRole("button", { name: "Log In", exact: true }).click();
  await dialog.getByText("The email or the password is not right.").waitFor();
  await settle(page);
}

async function failUsage(page) {
  await page.route("**/api/user-info", (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload({ waitUntil: "networkidle" });
  await page.getByText("Unable to retrieve usage data (status 503)").first().waitFor();
  await settle(page);
}

async function failMessage(page) {
  await page.route("**/api/contact", (route) => route.fulfill({ status: 503, body: "" }));
  const form = page.getByRole("form", { name: "Contact" });
  await form.getByLabel("Name").fill("Ann");
  await form.getByLabel("Email").fill("ann@example.com");
  await form.getByLabel("Message").fill("A question.");
  await form.getByRole("button", { name: /^Send/ }).click();
  await page.waitForTimeout(1000);
  await settle(page);
}

/** A call of the API as the person at the page, signed in by the session's cookie. */
async function callAs(page, path, data) {
  const { token } = await (await page.request.get(`${origin}/idp/token`)).json();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await (data
    ? page.request.post(`${origin}/api${path}`, { data, headers })
    : page.request.get(`${origin}/api${path}`, { headers }));
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

async function buy(page, plan, { mode, number = "4111 1111 1111 1111" } = {}) {
  const wanted = { plan_id: plan, billing_cycle: "monthly", ...(mode ? { mode } : {}) };
  const { subscription_id } = await callAs(page, "/create-payment-session", wanted);
  const { key: key_id } = await callAs(page, "/razorpay-key");
  const card = { key_id, subscription_id, number, expiry: "12/49", code: "123" };
  const paid = await (await page.request.post(`${origin}/sandbox/razorpay/checkout/pay`, { data: card })).json();
  await callAs(page, "/upgrade-plan", { plan, billing_cycle: "monthly", payment_status: "success", ...paid });
  return subscription_id;
}

/** Somebody who has bought Mini, and what they do next. */
function onMini(next = async () => {}) {
  return async (page) => {
    const subscriptionId = await buy(page, "mini");
    await page.reload({ waitUntil: "networkidle" });
    await next(page, subscriptionId);
    await settle(page);
  };
}

async function askForPlan(page, plan, label) {
  await page.getByRole("region", { name: plan, exact: true }).getByRole("button", { name: label, exact: true }).click();
  await page.getByRole("dialog").getByText("Charged today").waitFor();
  await settle(page);
}

async function openCheckout(page) {
  await askForPlan(page, "Plus", "Upgrade");
  await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
  await page.frameLocator('iframe[title^="Payment"]').getByText("4111 1111 1111 1111").waitFor();
  await settle(page);
}

async function scheduleChange(page) {
  await buy(page, "pro", { mode: "at_renewal" });
  await page.reload({ waitUntil: "networkidle" });
}

async function upgradeNow(page) {
  await buy(page, "pro", { mode: "now" });
  await page.waitForTimeout(6000); // the refund goes out with the next sweep
  await page.reload({ waitUntil: "networkidle" });
}

/** Two runs, one of them with a file that fails. */
async function runBatches(page) {
  const { token } = await (await page.request.get(`${origin}/idp/token`)).json();
  const headers = { authorization: `Bearer ${token}` };
  const sample = readFileSync(join(root, "packages/web/app/pictures/samples/glasses-small.jpg"));
  const compress = async (files) => {
    const form = new FormData();
    form.append("quality", "60");
    for (const [name, bytes] of files) form.append("files", new Blob([bytes], { type: "image/jpeg" }), name);
    await (await fetch(`${origin}/api/compress/`, { method: "POST", headers, body: form })).arrayBuffer();
  };
  await compress([["alone.jpg", sample]]);
  await compress([
    ["a.jpg", sample],
    ["b.jpg", sample.subarray(0, 3000)],
    ["c.jpg", sample],
  ]);
  await page.reload({ waitUntil: "networkidle" });
}

async function openDialog(page, name) {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").waitFor();
  await settle(page);
}

function askToCancel(page) {
  return openDialog(page, "Cancel Subscription");
}

async function cancelPlan(page, subscriptionId) {
  await callAs(page, `/cancel-subscription/${subscriptionId}`, {});
  await page.reload({ waitUntil: "networkidle" });
}

async function openReceipt(page) {
  await page.getByRole("link", { name: /^Receipt of/ }).click();
  await page.getByRole("article", { name: "Receipt" }).waitFor();
}

async function makeKey(page) {
  await page.getByLabel("Name").fill("Build server");
  await page.getByRole("button", { name: "Create key" }).click();
  await page
    .getByText(/^Copy the key/)
    .first()
    .waitFor();
  await settle(page);
}

async function revokeKey(page) {
  await makeKey(page);
  await openDialog(page, /^Revoke Build server/);
}

/** Moves the server's clock on to a renewal that the card does not pay. */
async function failRenewal(page) {
  await buy(page, "mini", { number: "4000 0000 0000 0341" });
  const path = join(data, "clock-offset-ms");
  const offsetMs = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  writeFileSync(path, String(offsetMs + 32 * 86_400_000));
  for (let tries = 0; tries < 12; tries++) {
    await page.waitForTimeout(2500);
    await page.reload({ waitUntil: "networkidle" });
    if (await page.getByText("Payment failed").first().isVisible()) break;
  }
  await settle(page);
}

function picker(page) {
  return page.getByLabel("Pictures", { exact: true }).first();
}

function submit(page) {
  return page.getByRole("button", { name: "Submit" }).click();
}

async function choose(page, files) {
  const pictures = join(root, "packages/web/app/pictures");
  await picker(page).setInputFiles(files.map((file) => join(pictures, file)));
  await page
    .getByRole("button", { name: /^Remove/ })
    .first()
    .waitFor();
  return files;
}

async function compress(page) {
  await page.getByLabel("Quality").fill("65");
  await submit(page);
  await page
    .getByRole("button", { name: /^Download( all)?$/ })
    .first()
    .waitFor({ timeout: 120_000 });
  await settle(page);
}

async function settle(page) {
  await page.mouse.move(5, 5);
  await page.waitForTimeout(600);
}

/** Pictures further down are loaded when they come into view. */
async function scrollThrough(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 500) {
      window.scrollTo(0, y);
      await new Promise((done) => setTimeout(done, 60));
    }
    window.scrollTo(0, 0);
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
}
