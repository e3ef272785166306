import { gzipSync } from "node:zlib";
import { expect, type Locator } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { signedUp } from "./people.ts";
import { jpeg, notAPicture, png } from "./pictures.ts";
import { studioOn } from "./studio-page.ts";

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** Bytes of script that the home page may load before any interaction. */
const scriptBudgetBytes = 160_000;

test("the home page loads at most 160 KB of script, and nothing from elsewhere", async ({ page, baseURL }) => {
  const scripts: Promise<Buffer>[] = [];
  const elsewhere: string[] = [];
  page.on("response", (response) => {
    if (!response.url().startsWith(String(baseURL))) elsewhere.push(response.url());
    if (response.request().resourceType() === "script" || response.url().endsWith(".js")) scripts.push(response.body());
  });
  await page.goto("/", { waitUntil: "networkidle" });
  const sizes = (await Promise.all(scripts)).map((body) => gzipSync(body, { level: 9 }).length);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(scriptBudgetBytes);
  expect(elsewhere).toEqual([]);
});

test("axe finds nothing in the studio's states", async ({ page }) => {
  test.slow(); // axe checks each twice
  const studio = studioOn(page);
  await studio.open();
  await studio.submit.click();
  await expect(studio.obstacle).not.toBeEmpty();
  expect(await violationsOn(page)).toEqual([]);
  await studio.choose(await jpeg("a.jpg"), await png("b.png"), notAPicture("c.png", "image/png"));
  await expect(studio.judged).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Fine" }).click();
  await studio.submit.click();
  await expect(page.getByRole("button", { name: "Download all" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove all" }).click();
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await studio.openRecent();
  await expect(studio.recent.getByRole("listitem")).toHaveText(/Compress · 2 images/);
  expect(await violationsOn(page)).toEqual([]);
});

test("axe finds nothing in the other tools' options", async ({ page }) => {
  test.slow(); // axe checks each twice
  const studio = studioOn(page);
  await studio.open("#removeBackground");
  await page.getByText("More options").click();
  await page.getByRole("radio", { name: "Image", exact: true }).check();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("radio", { name: "Colour", exact: true }).check();
  await expect(page.getByLabel("Background colour")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  for (const tool of ["Resize", "Upscale", "Convert"]) {
    await page.getByRole("tab", { name: tool }).click();
    await expect(page.getByRole("tabpanel", { name: tool })).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
  }
});

test("the light can be switched, and is there before the first paint the next time", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  /** Presses the switch; again where the page had not been hydrated. */
  const press = (isSwitched: () => Promise<boolean>) =>
    expect(async () => {
      if (!(await isSwitched())) await page.getByRole("button", { name: "Switch between light and dark" }).click();
      await expect.poll(isSwitched, { timeout: 5_000 }).toBe(true);
    }).toPass();
  const paper = await ground();
  await press(async () => (await ground()) !== paper);
  await page.reload({ waitUntil: "commit" });
  await page.waitForSelector("body");
  expect(await page.evaluate(() => document.documentElement.dataset["light"])).toBe("darkroom");
  await press(() => page.evaluate(() => localStorage.getItem("tintype.light") === null));
});

test("with reduced motion the other light is there at once, without a transition", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto("/contact");
  const transitions = await page.evaluate(() => {
    document.documentElement.dataset["light"] = "darkroom";
    return document.getAnimations().length;
  });
  expect(transitions).toBe(0);
});

test("in high contrast a chosen thing looks chosen, and the first button like a button", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const look = (element: Element) => {
    const { backgroundColor, borderTopWidth } = getComputedStyle(element);
    return { backgroundColor, borderTopWidth };
  };
  const chosen = await page.getByRole("tab", { name: "Compress" }).evaluate(look);
  const other = await page.getByRole("tab", { name: "Resize" }).evaluate(look);
  expect(chosen.backgroundColor).not.toBe(other.backgroundColor);
  const first = await page.getByRole("button", { name: "Choose images" }).evaluate(look);
  expect(first.borderTopWidth).toBe("1px");
  await page.goto("/pricing");
  const cycle = async (name: string) => (await page.locator("label", { hasText: name }).evaluate(look)).backgroundColor;
  expect(await cycle("Monthly")).not.toBe(await cycle("Yearly"));
});

test("a guest's page fits the width of the smallest phone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ["/", "/pricing", "/api/docs"]) {
    await page.goto(path);
    await expect(page.getByRole("button", { name: "Get Started" }).first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
});

test("the menu opens on a phone, closes by Escape, and leads on, also before the page's script has come", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route(/\.js$/, (route) => route.abort());
  await page.goto("/");
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
  await page.unroute(/\.js$/);
  await page.reload();
  await menu.click();
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Pricing" }).click();
  await expect(page).toHaveURL(/\/pricing$/);
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
});

test("on a short page the footer stands at the foot of the window", async ({ page }) => {
  for (const viewport of [wide, { width: 768, height: 1400 }]) {
    await page.setViewportSize(viewport);
    await page.goto("/contact/nowhere");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const fromFoot = async () => {
      const { y = 0, height = 0 } = (await page.getByRole("contentinfo").boundingBox()) ?? {};
      return Math.abs(y + height - viewport.height);
    };
    await expect.poll(fromFoot).toBeLessThan(1);
  }
});

test("nothing moves while the account's page comes in", async ({ page, baseURL }) => {
  await page.setViewportSize(narrow);
  await signedUp(page, { origin: String(baseURL) });
  await page.addInitScript(() => {
    const shifts: object[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[]) {
        const moved = entry.sources.map(({ node }) => node?.textContent?.slice(0, 60));
        shifts.push({ value: entry.value, atMs: Math.round(entry.startTime), moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/account", { waitUntil: "networkidle" });
  await expect(page.getByText("No subscription")).toBeVisible();
  const shifts = await page.evaluate(() => Reflect.get(window, "shifts") as { value: number }[]); // set above
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts)).toBeLessThan(0.05);
});

test("an unknown address is a 404 with a way home", async ({ page }) => {
  const answer = await page.goto("/nothing-here");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await page.getByRole("link", { name: "Go to the studio" }).click();
  await expect(page.getByRole("tablist")).toBeVisible();
});

test("an address that names a tool shows the headline whole, below the header", async ({ page }) => {
  await page.setViewportSize(wide);
  for (const path of ["/#upscale", "/#resize"]) {
    await page.goto(path);
    await expect(page.getByRole("tab", { selected: true })).toHaveText(path === "/#upscale" ? "Upscale" : "Resize");
    const headline = page.getByRole("heading", { level: 1 });
    await expect.poll(async () => topOf(headline)).toBeGreaterThanOrEqual(64);
    await expect(page.getByRole("tablist")).toBeInViewport();
  }
  await page.getByRole("link", { name: "Remove a background" }).click();
  await expect.poll(() => topOf(page.getByRole("heading", { level: 1 }))).toBeGreaterThanOrEqual(64);
});

test("the focus returns to the button that opened the dialog, the first time too", async ({ page }) => {
  await page.goto("/about", { waitUntil: "networkidle" });
  const start = page.getByRole("banner").getByRole("button", { name: "Get Started" });
  for (const _ of ["first", "second"]) {
    await start.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "Tintype" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(start).toBeFocused();
  }
});

for (const viewport of [wide, narrow])
  test(`a toast covers neither the control nor the message that it belongs to, ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto("/contact", { waitUntil: "networkidle" });
    const form = page.getByRole("form", { name: "Contact" });
    await form.getByLabel("Name").fill("Ann");
    await form.getByLabel("Email").fill("ann@example.com");
    await form.getByLabel("Message").fill("A question.");
    const send = form.getByRole("button", { name: /^Send/ });
    await send.click();
    const toast = page.locator("[data-sonner-toast]");
    await standsStill(toast);
    for (const covered of [send, form.getByRole("status")]) expect(await overlap(toast, covered)).toBe(false);
  });

for (const viewport of [wide, narrow])
  test(`usage that cannot be had is told in the header, and its toast does not lie over it, ${viewport.width} px`, async ({
    page,
    baseURL,
  }) => {
    await page.setViewportSize(viewport);
    await signedUp(page, { origin: String(baseURL) });
    await page.route("**/api/user-info", (route) => route.fulfill({ status: 503, body: "" }));
    await page.goto("/about");
    const line = page.getByRole("banner").getByText("Unable to retrieve usage data (status 503)");
    const toast = page.locator("[data-sonner-toast]");
    await expect(line).toBeVisible();
    await standsStill(toast);
    expect(await overlap(toast, line)).toBe(false);
    expect(await violationsOn(page)).toEqual([]);
  });

test("the button that copies an example does not lie over it on a small phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/api/docs", { waitUntil: "networkidle" });
  const copy = page.getByRole("button", { name: /^Copy: / }).first();
  const code = page.locator("main pre").first();
  expect(await overlap(copy, code)).toBe(false);
});

test("eight formats leave none alone in a row", async ({ page }) => {
  const studio = studioOn(page);
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport);
    await studio.open("#convert");
    const formats = page.getByRole("radiogroup", { name: "Target format" }).locator("label");
    await expect(formats).toHaveCount(8);
    const tops = await formats.evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().top));
    expect(tops.filter((top) => top === tops.at(-1)).length).toBeGreaterThan(1);
  }
});

const topOf = async (one: Locator) => (await one.boundingBox())?.y ?? Number.NaN;

/** Waits for a toast's entrance animation to end. Polling would not work: once the toast is gone, it covers nothing. */
async function standsStill(toast: Locator): Promise<void> {
  await expect(toast).toHaveAttribute("data-mounted", "true");
  await toast.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
}

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) return false;
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
