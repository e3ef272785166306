import { expect, type Page } from "@playwright/test";
import {
  formatPrice,
  guestCreditsPerNetworkDay,
  limits,
  prices,
  soldCurrencies,
  text,
} from "../../packages/contract/src/index.ts";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { jpeg, png } from "./pictures.ts";
import { restingBox, studioOn } from "./studio-page.ts";

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** The paths of the sitemap, which the build generates from the list of public pages. */
async function publicPaths(page: Page): Promise<string[]> {
  const xml = await (await page.request.get("/sitemap.xml")).text();
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);
}

/** Opens a page and waits for hydration. Earlier clicks and typing are replayed, but a slider's keys are not. */
async function openAlive(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")),
  );
}

for (const [size, viewport] of Object.entries({ wide, narrow }))
  test.describe(size, () => {
    test.use({ viewport });

    test("the menu leads to every page it names, and closes behind one", async ({ page }) => {
      await openAlive(page, "/");
      const isNarrow = size === "narrow";
      const menu = page.getByRole("navigation", { name: isNarrow ? "Menu" : "Main" });
      for (const [label, path] of [
        ["Pricing", "/pricing"],
        ["About", "/about"],
        ["Blogs", "/blog"],
        ["Contact", "/contact"],
        ["FAQs", "/faqs"],
      ] as const) {
        if (isNarrow) await page.getByRole("button", { name: "Open menu" }).click();
        await menu.getByRole("link", { name: label }).click();
        await expect(page).toHaveURL(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        if (isNarrow) await expect(menu).toBeHidden();
        else await expect(menu.getByRole("link", { name: label })).toHaveAttribute("aria-current", "page");
      }
      await page.getByRole("link", { name: "Tintype, home" }).first().click();
      await expect(page.getByRole("region", { name: "Studio" })).toBeVisible();
    });

    test("of the questions one is open at a time, the first at the start, and none need be", async ({ page }) => {
      await openAlive(page, "/faqs");
      const items = page.locator("main details");
      const open = page.locator("main details[open]");
      await expect(items).toHaveCount(14);
      await expect(open).toHaveCount(1);
      await expect(items.first()).toHaveAttribute("open");
      await items.nth(3).locator("summary").click();
      await expect(items.nth(3)).toHaveAttribute("open");
      await expect(open).toHaveCount(1);
      await items.nth(3).locator("summary").press("Enter");
      await expect(open).toHaveCount(0);
    });

    test("articles lead on and back, and the list has all six", async ({ page }) => {
      await openAlive(page, "/blog");
      await expect(page.locator("main article")).toHaveCount(6);
      await page.getByRole("link", { name: /^What is a JPG/ }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^What is a JPG/);
      await expect(page.getByRole("link", { name: /^Previous/ })).toHaveCount(0);
      await page.getByRole("link", { name: /^Next/ }).click();
      await expect(page).toHaveURL("/blog/what-is-png");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^What is a PNG/);
      await page.getByRole("link", { name: /^Previous/ }).click();
      await expect(page).toHaveURL("/blog/what-is-jpg");
      await page.goto("/blog/what-is-gif");
      await expect(page.getByRole("link", { name: /^Next/ })).toHaveCount(0);
    });

    test("a message is checked, sent once, and says that it arrived", async ({ page }) => {
      await openAlive(page, "/contact");
      const form = page.getByRole("form", { name: "Contact" });
      const said = form.getByRole("status");
      const send = form.getByRole("button", { name: /^Send/ });
      await send.click();
      await expect(said).toHaveText(text.allFieldsRequired);
      await expect(form.getByLabel("Name")).toBeFocused();
      await form.getByLabel("Name").fill("Ann");
      await form.getByLabel("Email").fill("ann@nowhere");
      await form.getByLabel("Message").fill("A question about TIFF.");
      await send.click();
      await expect(said).toHaveText(text.invalidEmail);
      await expect(form.getByLabel("Email")).toBeFocused();
      await form.getByLabel("Email").fill("ann@example.com");
      let calls = 0;
      page.on("request", (request) => request.url().endsWith("/api/contact") && calls++);
      // The response waits until both clicks are in.
      const clicked = Promise.withResolvers<void>();
      await page.route("**/api/contact", async (route) => {
        await clicked.promise;
        await route.continue();
      });
      await send.dblclick();
      clicked.resolve();
      await expect(said).toHaveText(text.messageSent);
      await expect(page.getByRole("listitem").filter({ hasText: text.messageSent })).toBeVisible();
      await expect(form.getByLabel("Message")).toHaveValue("");
      expect(calls).toBe(1);
    });
  });

test("a message that cannot be sent stays as it was typed, and the reason is told", async ({ page }) => {
  await openAlive(page, "/contact");
  const form = page.getByRole("form", { name: "Contact" });
  await form.getByLabel("Name").fill("Ann");
  await form.getByLabel("Email").fill("ann@example.com");
  await form.getByLabel("Message").fill("A question.");
  await page.route("**/api/contact", (route) => route.abort());
  await form.getByRole("button", { name: /^Send/ }).click();
  await expect(form.getByRole("status")).toHaveText(text.serverError);
  await page.unroute("**/api/contact");
  await page.route("**/api/contact", (route) => route.fulfill({ status: 502, body: "" }));
  await form.getByRole("button", { name: /^Send/ }).click();
  await expect(form.getByRole("status")).toHaveText(text.messageFailed);
  await expect(form.getByLabel("Message")).toHaveValue("A question.");
});

test("a program that fills in the field no person sees sends nothing", async ({ page, request }) => {
  await openAlive(page, "/contact");
  let calls = 0;
  page.on("request", (sent) => sent.url().endsWith("/api/contact") && calls++);
  const form = page.getByRole("form", { name: "Contact" });
  for (const label of ["Name", "Message"]) await form.getByLabel(label).fill("Buy now");
  await form.getByLabel("Email").fill("bot@example.com");
  await page.evaluate(() => {
    const trap = document.querySelector<HTMLInputElement>("input[name=website]");
    if (trap) trap.value = "https://spam.example";
  });
  await form.getByRole("button", { name: /^Send/ }).click();
  await expect(form.getByRole("status")).toBeEmpty();
  expect(calls).toBe(0);
  // A bot that bypasses the page gets the response it expects. contact.test.ts checks that nothing is stored.
  const answer = await request.post("/api/contact", {
    data: { name: "Bot", email: "bot@example.com", message: "Buy now", website: "https://spam.example" },
  });
  expect(answer.status()).toBe(200);
});

test("an article that is not there says so, by address and from inside, with a way on", async ({ page }) => {
  const answer = await page.goto("/blog/what-is-nothing");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(text.blogNotFound);
  await page.getByRole("link", { name: "See all articles" }).click();
  await expect(page).toHaveURL("/blog");
  await page.evaluate(() => {
    history.pushState({}, "", "/blog/what-is-nothing");
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(text.blogNotFound);
});

test("a shadow lies under the header once the page is scrolled", async ({ page }) => {
  await openAlive(page, "/terms");
  const header = page.locator("header[data-scrolled]");
  await expect(header).toHaveAttribute("data-scrolled", "false");
  await page.evaluate(() => window.scrollTo(0, 11));
  await expect(header).toHaveAttribute("data-scrolled", "true");
});

test("the questions go by, rest under the pointer, and stop at the button", async ({ page }) => {
  await openAlive(page, "/");
  const strip = page.getByRole("region", { name: "Questions and answers" });
  await strip.scrollIntoViewIfNeeded();
  const at = () =>
    strip
      .locator("ul")
      .first()
      .locator("..")
      .evaluate(({ scrollLeft }) => scrollLeft);
  await page.mouse.move(5, 5);
  const start = await at();
  await expect.poll(at).toBeGreaterThan(start);
  const box = await restingBox(strip);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 40);
  // The page handles the pointer move a frame or two later. Counted in frames, because a slow machine draws few.
  const movedBy = async () => {
    const before = await at();
    await page.evaluate(async () => {
      for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
    });
    return (await at()) - before;
  };
  await expect.poll(movedBy).toBe(0);
  await strip.getByRole("button", { name: "Pause the questions" }).click();
  await page.mouse.move(5, 5);
  await expect(strip.getByRole("button", { name: "Play the questions" })).toBeVisible();
  expect(await movedBy()).toBe(0);
});

test("under reduced motion the questions rest from the start", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openAlive(page, "/");
  await expect(page.getByRole("button", { name: "Play the questions" })).toBeVisible();
});

test("before and after can be moved by keyboard, and says where it stands", async ({ page }) => {
  await openAlive(page, "/");
  const slider = page.getByRole("slider", { name: "Compress: before and after" });
  await slider.focus();
  await slider.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /^0%/);
  await slider.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", /^1%/);
});

test("a sample lies in the studio with the tool it is for", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  await page.getByRole("button", { name: "Convert to WebP" }).click();
  await expect(page.getByRole("tab", { name: "Convert" })).toHaveAttribute("aria-selected", "true");
  // The tool is ready before its picture is.
  await expect(page.getByText("Already done, no credits used").first()).toBeVisible();
  await studio.submit.click();
  await expect(page.getByRole("button", { name: /^Download/ }).first()).toBeVisible({ timeout: 30_000 });
});

test("an article's door leads into the studio with the picture and the tool", async ({ page }) => {
  await openAlive(page, "/blog/what-is-webp");
  await page.getByLabel("Images to convert").setInputFiles(await jpeg("mine.jpg"));
  await expect(page).toHaveURL("/#convert");
  await expect(page.getByRole("tab", { name: "Convert" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("mine.jpg").first()).toBeVisible();
});

test("every call in the reference's contents is told from the others", async ({ page }) => {
  await page.goto("/api/docs");
  const calls = page.getByRole("navigation", { name: "In this reference" }).getByRole("listitem");
  const words = await calls.allInnerTexts();
  expect(words.length).toBeGreaterThan(20);
  expect(new Set(words).size).toBe(words.length);
});

test("no link inside the site is dead, and every anchor is there", async ({ page, baseURL }) => {
  const paths = [...(await publicPaths(page)), "/nothing-here", "/blog/nothing-here"];
  const seen = new Map<string, { status: number; html: string }>();
  const load = async (path: string) => {
    const known = seen.get(path);
    if (known) return known;
    const answer = await page.request.get(path);
    const loaded = { status: answer.status(), html: await answer.text() };
    seen.set(path, loaded);
    return loaded;
  };
  const dead: string[] = [];
  for (const path of paths)
    for (const [, href = ""] of (await load(path)).html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)) {
      const url = new URL(href.replaceAll("&amp;", "&"), String(baseURL) + path);
      if (url.origin !== new URL(String(baseURL)).origin) continue;
      const target = await load(url.pathname);
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (target.status >= 400 && !href.startsWith("#")) dead.push(`${path}: ${href} is ${target.status}`);
      else if (anchor && !target.html.includes(`id="${anchor}"`)) dead.push(`${path}: ${href} has no anchor`);
    }
  expect(dead).toEqual([]);
});

// product: plan-table
test("every price and every limit on any page is one of the table's", async ({ page }) => {
  const amounts = new Set(
    Object.values(prices).flatMap((cycles) =>
      Object.values(cycles).flatMap((price) =>
        soldCurrencies().map((currency) => formatPrice({ amountMinor: price[currency] ?? 0, currency })),
      ),
    ),
  );
  amounts.add("$0").add("₹0");
  const values = (key: "credits" | "megabytesPerFile" | "megapixelsIn") =>
    new Set(Object.values(limits).map((limit) => limit[key]));
  const known = {
    credits: values("credits").add(guestCreditsPerNetworkDay),
    MB: values("megabytesPerFile"),
    megapixels: values("megapixelsIn"),
  };
  const strange: string[] = [];
  for (const path of (await publicPaths(page)).filter((one) => one !== "/api/docs")) {
    await page.goto(path);
    const words = await page.locator("main").innerText();
    for (const [amount] of words.matchAll(/[$₹]\d+(?:,\d+)*(?:[.]\d+)?/g))
      if (!amounts.has(amount)) strange.push(`${path}: ${amount}`);
    for (const [found, number = "", unit = ""] of words.matchAll(/\b([\d,]+) (credits|MB|megapixels)\b/g))
      if (!known[unit as keyof typeof known].has(Number(number.replaceAll(",", "")))) strange.push(`${path}: ${found}`);
  }
  expect(strange).toEqual([]);
});

test("axe finds nothing on any page", async ({ page }) => {
  test.setTimeout(600_000);
  const found: string[] = [];
  for (const path of [...(await publicPaths(page)), "/nothing-here", "/blog/nothing-here"]) {
    await page.goto(path);
    found.push(...(await violationsOn(page)).map((violation) => `${path}: ${violation}`));
  }
  expect(found).toEqual([]);
});

test("a tool's own page opens the studio with it, also from another page", async ({ page }) => {
  await page.goto("/heic-to-jpg");
  await expect(page.getByRole("heading", { level: 1, name: "HEIC to JPG" })).toBeVisible();
  const tab = (name: string) => page.getByRole("tab", { name });
  await expect(tab("Convert")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("radio", { name: "JPEG" })).toBeChecked();
  await studioOn(page).choose(await png("screen.png"));
  await page.getByRole("link", { name: "PNG to WebP" }).click();
  await expect(page).toHaveURL("/png-to-webp");
  await expect(page.getByRole("radio", { name: "WebP" })).toBeChecked();
  await expect(page.getByText("screen.png", { exact: true }).first()).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Compress images" }).click();
  await expect(tab("Compress")).toHaveAttribute("aria-selected", "true");
  // A tab chosen after the hash takes precedence.
  await tab("Resize").click();
  await expect(page).toHaveURL("/compress-image#resize");
  await page.reload();
  await expect(tab("Resize")).toHaveAttribute("aria-selected", "true");
});

test("a tool's own page can be read without a script", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: String(baseURL) });
  const page = await context.newPage();
  await page.goto("/webp-to-png");
  await expect(page.getByRole("tab", { name: "Convert" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("What about animated WebP?")).toBeVisible();
  await context.close();
});
