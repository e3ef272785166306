// The states of an account: its plan, its payments, its keys, webhooks and usage.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { choose, openDialog, settle, submit } from "./page-steps.mjs";

const samples = join(import.meta.dirname, "../../packages/web/app/pictures/samples");

/** `data`: the data folder of the script's own server; undefined for a server that was already running. */
export function personStates(data) {
  const pages = [
    "/account",
    "/account/transactions",
    "/account/usage",
    "/account/keys",
    "/account/webhooks",
    "/account/security",
    "/pricing",
  ];
  const ownLists = ["/account/transactions", "/account/usage", "/account/keys", "/account/webhooks"];
  return [
    ...pages.map((path) => ({ name: `person-${path.slice(1).replaceAll("/", "-")}`, path, isWhole: true })),
    ...ownLists.map((path) => ({ name: `failed-${path.split("/").at(-1)}`, path, prepare: failToRead, isWhole: true })),
    { name: "loading-usage", path: "/account/usage", prepare: neverRead, isWhole: true },
    { name: "person-studio", path: "/" },
    { name: "person-menu", path: "/about", prepare: openAccountMenu },
    { name: "short-of-credits", path: "/", prepare: (page) => fallShort(page, 98) },
    { name: "out-of-credits", path: "/", prepare: (page) => fallShort(page, 100) },
    { name: "usage-error", path: "/about", prepare: failUsage },
    { name: "confirm-first-plan", path: "/pricing", prepare: (page) => askForPlan(page, "Plus", "Upgrade") },
    { name: "checkout", path: "/pricing", prepare: openCheckout },
    { name: "upgrade-dialog", path: "/pricing", prepare: onMini((page) => askForPlan(page, "Pro", "Upgrade now")) },
    {
      name: "switch-dialog",
      path: "/pricing",
      prepare: onMini((page) => askForPlan(page, "Pro", "Switch at renewal")),
    },
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
    { name: "key-rotate-dialog", path: "/account/keys", prepare: (page) => askForKey(page, /^Rotate Build server/) },
    { name: "key-dialog", path: "/account/keys", prepare: (page) => askForKey(page, /^Revoke Build server/) },
    { name: "usage-filled", path: "/account/usage", prepare: showUsage, isWhole: true },
    { name: "usage-filtered", path: "/account/usage", prepare: filterUsage, isWhole: true },
    { name: "webhook-made", path: "/account/webhooks", prepare: makeWebhook, isWhole: true },
    { name: "webhook-refused", path: "/account/webhooks", prepare: refuseWebhook, isWhole: true },
    { name: "webhook-dialog", path: "/account/webhooks", prepare: removeWebhook },
    { name: "recipes-own", path: "/", prepare: openOwnRecipes },
    { name: "recipes-failed", path: "/", prepare: failRecipes },
    { name: "recipe-kept", path: "/", prepare: keepRecipe },
    // The last one moves the server's clock.
    ...(data
      ? [{ name: "account-past-due", path: "/account", prepare: (page) => failRenewal(page, data), isWhole: true }]
      : []),
  ].map((state) => ({ ...state, isPerson: true }));
}

/** Signs up through the provider's endpoint, and tells the page. */
export async function signUp(page, origin) {
  const email = `person-${Date.now()}@example.com`;
  const data = { name: "Ann Lee", email, password: "correct horse 1" };
  await page.request.post("/idp/sign-up/email", { data, headers: { origin } });
  await page.addInitScript(() => localStorage.setItem("tintype.session", "somebody"));
}

async function failUsage(page) {
  await page.route("**/api/user-info", (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload({ waitUntil: "networkidle" });
  await page.getByText("Unable to retrieve usage data (status 503)").first().waitFor();
  await settle(page);
}

/** Calls the API as the page's signed-in person, by the session cookie. */
async function callAs(page, path, data) {
  const { token } = await (await page.request.get("/idp/token")).json();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await (data
    ? page.request.post(`/api${path}`, { data, headers })
    : page.request.get(`/api${path}`, { headers }));
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

async function buy(page, plan, { mode, number = "4111 1111 1111 1111" } = {}) {
  const wanted = { plan_id: plan, billing_cycle: "monthly", ...(mode ? { mode } : {}) };
  const { subscription_id } = await callAs(page, "/create-payment-session", wanted);
  const { key: key_id } = await callAs(page, "/razorpay-key");
  const card = { key_id, subscription_id, number, expiry: "12/49", code: "123" };
  const paid = await (await page.request.post("/sandbox/razorpay/checkout/pay", { data: card })).json();
  await callAs(page, "/upgrade-plan", { plan, billing_cycle: "monthly", payment_status: "success", ...paid });
  return subscription_id;
}

/** Buys Mini, then runs `next`. */
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
  await page.waitForTimeout(6000); // the refund is sent by the next sweep
  await page.reload({ waitUntil: "networkidle" });
}

/** Two runs, one of them with a file that fails. */
async function runBatches(page) {
  const { token } = await (await page.request.get("/idp/token")).json();
  const headers = { authorization: `Bearer ${token}` };
  const sample = readFileSync(join(samples, "glasses-small.jpg"));
  const compress = async (files) => {
    const form = new FormData();
    form.append("quality", "60");
    for (const [name, bytes] of files) form.append("files", new Blob([bytes], { type: "image/jpeg" }), name);
    await (await fetch(new URL("/api/compress/", page.url()), { method: "POST", headers, body: form })).arrayBuffer();
  };
  await compress([["alone.jpg", sample]]);
  await compress([
    ["a.jpg", sample],
    ["b.jpg", sample.subarray(0, 3000)],
    ["c.jpg", sample],
  ]);
  await page.reload({ waitUntil: "networkidle" });
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

async function askForKey(page, button) {
  await makeKey(page);
  await openDialog(page, button);
}

/** Makes the calls of the page's own list fail. */
async function failToRead(page) {
  await page.route(/[/]api[/](usage|keys|webhooks|transactions)/, (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/problem+json",
      body: JSON.stringify({
        detail: "The database cannot be reached. Please try again shortly.",
        requestId: "req_7f3k",
      }),
    }),
  );
  await page.reload({ waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Try again" }).waitFor();
}

async function neverRead(page) {
  await page.route("**/api/usage?*", () => {});
  await page.reload();
  await page.getByText("Loading...").waitFor();
}

async function openAccountMenu(page) {
  const narrow = page.getByRole("button", { name: "Open menu" });
  if (await narrow.isVisible()) await narrow.click();
  else
    await page
      .getByRole("banner")
      .getByRole("button", { name: /Ann Lee|Account/ })
      .click();
  await settle(page);
}

/** Ninety days of usage by three keys and the studio. */
async function showUsage(page) {
  const operations = ["compress", "resize", "upscale", "remove-background", "convert"];
  const keys = [
    null,
    { id: "key_1", name: "Build server", last_four: "k3fa" },
    { id: "key_2", name: "A long name of a key that somebody gave", last_four: "9d2c" },
  ];
  await page.route("**/api/usage?*", async (route) => {
    const answer = await (await route.fetch()).json();
    const last = Date.parse(`${answer.to}T00:00:00Z`);
    const rows = Array.from({ length: 60 }, (_, index) => {
      const files = 3 + ((index * 37) % 41);
      const operation = operations[(index * 7) % 5];
      const day = new Date(last - Math.floor(index / 2.4) * 86_400_000).toISOString().slice(0, 10);
      return { day, operation, key: keys[(index * 5) % 3], files, credits: files };
    });
    await route.fulfill({ json: { ...answer, rows } });
  });
  await page.reload({ waitUntil: "networkidle" });
  await page.getByRole("heading", { name: "By tool" }).waitFor();
}

async function filterUsage(page) {
  await showUsage(page);
  await page.getByRole("button", { name: /^Compress/ }).click();
  await settle(page);
}

async function makeWebhook(page) {
  await page.getByLabel("Address").fill("https://shop.example/hooks/tintype");
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page
    .getByText(/^Copy the secret/)
    .first()
    .waitFor();
  await page.route("**/api/webhooks/deliveries?*", (route) => {
    const about = {
      webhook_id: "whk_1",
      url: "https://shop.example/hooks/tintype",
      created_at: new Date().toISOString(),
    };
    const deliveries = [
      { id: "msg_3", job_id: "job_3", state: "waiting", attempts: 0, status: null, ...about },
      { id: "msg_2", job_id: "job_2", state: "failed", attempts: 5, status: 503, ...about },
      { id: "msg_1", job_id: "job_1", state: "sent", attempts: 1, status: 204, ...about },
    ];
    return route.fulfill({
      json: { deliveries: deliveries.map((one) => ({ ...one, next_attempt_at: null })), next: null },
    });
  });
  await page.getByLabel("Address").fill("https://studio.example/a/longer/address/for/jobs");
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("button", { name: "Send msg_1 again" }).waitFor();
  await settle(page);
}

async function refuseWebhook(page) {
  await page.getByLabel("Address").fill("ftp://shop.example/hook");
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor();
  await settle(page);
}

async function removeWebhook(page) {
  await makeWebhook(page);
  await openDialog(page, "Remove https://shop.example/hooks/tintype");
}

const shopSteps = [
  { resize: { width: 1200, method: "fit" } },
  { convert: { target_format: "webp", max_bytes: 300_000 } },
];

async function openOwnRecipes(page) {
  await callAs(page, "/recipes", { name: "shop", steps: shopSteps });
  await callAs(page, "/recipes", {
    name: "a longer name for portraits on white",
    steps: [{ "remove-background": { background: "#ffffff", crop: true } }],
  });
  await page.getByRole("button", { name: "Recipes" }).click();
  await page.getByRole("button", { name: "Delete shop" }).click();
  await settle(page);
}

async function failRecipes(page) {
  await page.route("**/api/recipes", (route) => route.abort());
  await page.getByRole("button", { name: "Recipes" }).click();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await settle(page);
}

async function keepRecipe(page) {
  await choose(page, ["samples/brush.jpg"]);
  await page.getByRole("button", { name: "Balanced" }).click();
  await page.getByRole("button", { name: "Save or share" }).click();
  await page.getByLabel("Name").fill("light");
  await settle(page);
}

/** Moves the server's clock to a renewal that the card declines. */
async function failRenewal(page, data) {
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
  await page.getByRole("link", { name: "See plans" }).waitFor();
  await settle(page);
}
