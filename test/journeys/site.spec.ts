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
        if (isNarrow) await page.getByRole("button", { name: "Menu" }).click();
        await menu.getByRole("link", { name: label }).click();
        await expect(page).toHaveURL(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        if (isNarrow) await expect(menu).toBeHidden();
        else await expect(menu.getByRole("link", { name: label })).toHaveAttribute("aria-current", "page");
      }
      await page.getByRole("link", { name: "Tintype, home" }).first().click();
      await expect(page.getByRole("region", { name: "Studio" })).toBeVisible();
    });
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

test("an article's door leads into the studio with the picture and the tool", async ({ page }) => {
  await openAlive(page, "/blog/what-is-webp");
  await page.getByLabel("Images to convert").setInputFiles(await jpeg("mine.jpg"));
  await expect(page).toHaveURL("/#convert");
  await expect(page.getByRole("tab", { name: "Convert" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("mine.jpg").first()).toBeVisible();
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

/** Prices and limits in a page's words that are not those of the table. */
function strangeAmounts(words: string): string[] {
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
  return [
    ...[...words.matchAll(/[$₹]\d+(?:,\d+)*(?:[.]\d+)?/g)].flatMap(([amount]) => (amounts.has(amount) ? [] : amount)),
    ...[...words.matchAll(/\b([\d,]+) (credits|MB|megapixels)\b/g)].flatMap(([found, number = "", unit = ""]) =>
      known[unit as keyof typeof known].has(Number(number.replaceAll(",", ""))) ? [] : found,
    ),
  ];
}

/** Numbers that are written another way than the site's: with a comma from a thousand on, and the percent sign at the number. */
async function oddNumbers(page: Page): Promise<string[]> {
  const words = await page.locator("main").evaluate((main) => {
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const shown: string[] = [];
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (element?.checkVisibility() && !element.closest("code, pre, svg"))
        shown.push(String(texts.currentNode.nodeValue));
    }
    return shown.join(" ");
  });
  return [
    ...[...words.matchAll(/(?<![\w.,#-]|RFC )\d{4,}(?![\w-])/g)].flatMap(([number]) =>
      /^(19|20)\d\d$/.test(number) ? [] : number,
    ),
    ...[...words.matchAll(/\d\s+%/g)].map(([share]) => share),
  ];
}

/** Calls that the contents of the API reference do not tell from others. */
async function repeatedCalls(page: Page): Promise<string[]> {
  const contents = page.getByRole("navigation", { name: "In this reference" });
  const words = await contents.getByRole("listitem").allInnerTexts();
  expect(words.length).toBeGreaterThan(20);
  return words.filter((one, index) => words.indexOf(one) < index);
}

// product: plan-table
test("on every page axe finds nothing, prices and limits are the table's, numbers are written one way, and calls are told apart", async ({
  page,
}) => {
  test.setTimeout(600_000);
  const found: string[] = [];
  for (const path of [...(await publicPaths(page)), "/nothing-here", "/blog/nothing-here"]) {
    await page.goto(path);
    const problems = [...(await violationsOn(page)), ...(await oddNumbers(page))];
    if (path === "/api/docs") problems.push(...(await repeatedCalls(page)));
    // The reference's examples have amounts of their own.
    else problems.push(...strangeAmounts(await page.locator("main").innerText()));
    found.push(...problems.map((problem) => `${path}: ${problem}`));
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
  // With a picture the studio takes the window. The picture stays while other pages are read.
  await expect(page.getByRole("link", { name: "PNG to WebP" })).toBeHidden();
  await page.getByRole("banner").getByRole("link", { name: "About" }).click();
  await page.getByRole("contentinfo").getByRole("link", { name: "Convert images" }).click();
  await expect(page.getByText("screen.png", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Remove screen.png" }).click();
  await page.getByRole("link", { name: "PNG to WebP" }).click();
  await expect(page).toHaveURL("/png-to-webp");
  await expect(page.getByRole("radio", { name: "WebP" })).toBeChecked();
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
