// npm run screenshots [-- --base=http://localhost:3000 --only=faqs --out=FOLDER --widths=390,1440]: every page and state of
// the built site (`npm run build` first) in both lights, for the eye. They are not kept in the repository.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { startSite } from "./running-site.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    base: { type: "string" },
    only: { type: "string" },
    widths: { type: "string", default: "390,820,1440" },
    out: { type: "string", default: join(root, "test-results/screenshots") },
  },
});
const widths = values.widths.split(",").map(Number);
const heights = { 390: 844, 820: 1180, 1440: 900 };

const { origin, stop } = await startSite(values.base);
mkdirSync(values.out, { recursive: true });
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
    { name: "signup", path: "/", prepare: openSignUp },
    ...["resize", "upscale", "removeBackground", "convert"].map((tool) => ({
      ...{ name: `tool-${tool}`, path: `/#${tool}`, prepare: showTool },
    })),
    { name: "obstacle", path: "/", prepare: meetObstacle },
    { name: "judged", path: "/#upscale", prepare: judgeBatch },
    { name: "waiting", path: "/#resize", prepare: waitInLine },
    { name: "studio", path: "/", prepare: useStudio },
    { name: "cutout", path: "/", prepare: (page) => trySample(page, "Cut it out") },
    { name: "batch", path: "/", prepare: useBatch },
    { name: "recalled", path: "/", prepare: recallResult },
    { name: "refused", path: "/", prepare: refuseBatch },
    { name: "removed", path: "/", prepare: removeAll },
    { name: "recent", path: "/", prepare: showRecent },
    { name: "out-of-credits-guest", path: "/", prepare: exceedAllowance },
    { name: "short-of-credits", path: "/", prepare: fallShort },
    ...["/account", "/account/transactions", "/pricing"].map((path) => ({
      ...{ name: `person-${nameOf(path)}`, path, prepare: async () => {}, isPerson: true, isWhole: true },
    })),
    { name: "person-studio", path: "/", prepare: async () => {}, isPerson: true },
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
        if (isPerson || prepare === fallShort) await signUp(page);
        await page.goto(origin + path, { waitUntil: "networkidle" });
        await prepare(page);
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
  await page.route("**/api/jobs/*/events", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: `id: 1\nevent: snapshot\ndata: ${JSON.stringify(event)}\n\n`,
    }),
  );
  await submit(page);
  await page
    .getByText(/before yours|Trying to reach/)
    .first()
    .waitFor();
  await settle(page);
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

async function fallShort(page) {
  for (const [call, change] of [
    ["user-info", { service_count: 98 }],
    ["config", { usage: { used: 98, limit: 100 } }],
  ])
    await page.route(`**/api/${call}`, async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, ...change } });
    });
  await page.reload({ waitUntil: "networkidle" });
  await choose(page, ["samples/brush.jpg", "samples/letter.png", "glass-1280.webp"]);
  await page.getByLabel("Quality").fill("65");
  await submit(page);
  await page.getByRole("button", { name: "Run 2 of 3" }).waitFor();
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
