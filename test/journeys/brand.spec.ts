import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { dataOf, originOf, startOwnServer } from "./own-server.ts";
import { signedUp } from "./people.ts";
import { phone } from "./studio-page.ts";

const origin = originOf(7);
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 48"><rect width="48" height="48" rx="10" fill="#0b6e4f"/><text x="60" y="34" font-family="sans-serif" font-size="28" fill="#0b6e4f">Salt+Silver</text></svg>`;
const brand = `
name: Salt & Silver
logo: logo.svg
support_email: help@salt.example
colours: { accent: "#0b6e4f", accent_dark: "#4fd1a5" }
currencies: { other: EUR, IN: INR }
plans:
  guest: { credits: 3, files_per_batch: 2 }
  hobby: { credits: 1200 }
  mini: { name: Starter, credits: 150, monthly: { EUR: 4.5 }, yearly: { EUR: 45 } }
  plus: { monthly: { EUR: 9 }, yearly: { EUR: 86.4 }, megabytes_per_file: 120 }
  pro: { name: Studio, monthly: { EUR: 19 }, yearly: { EUR: 180 }, megabytes_per_file: 150, files_per_batch: 250 }
legal:
  entity: Salt Pictures Private Limited
  address: |
    1 Mill Road
    Pune 411001
  governing_law: Maharashtra, India
  grievance_officer: { name: Asha Rao, email: asha@salt.example }
  policy: policy.md
invoices:
  prefix: SS/{fy}/
  credit_prefix: SC/{fy}/
  tax: { kind: gst, gstin: 27AAPFU0939F1ZV, sac: "998314" }
`;
const policy =
  "---\nupdated: 2026-11-01\n---\n\n## Introduction\n\nWe keep little.\n\n## Contact\n\n[Write](/contact).\n";

test.use({ baseURL: origin });
let server: Awaited<ReturnType<typeof startOwnServer>>;
test.beforeAll(async () => {
  const folder = dataOf("brand");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "tintype.brand.yaml"), brand);
  writeFileSync(join(folder, "logo.svg"), logo);
  writeFileSync(join(folder, "policy.md"), policy);
  server = await startOwnServer("brand", { origin });
});
test.afterAll(() => server.close());

test("every page, its data, the manifest and the feed bear the operator's name, and none says Tintype", async () => {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url ?? "");
  expect(pages.length).toBeGreaterThan(20);
  const others = [
    "/manifest.webmanifest",
    "/feed.xml",
    "/llms.txt",
    "/offline.html",
    "/account",
    "/nowhere",
    "/terms.data",
  ];
  for (const url of [...pages, ...others.map((path) => origin + path)]) {
    const text = await (await fetch(url)).text();
    expect([url, /Salt (&amp;|&) Silver/.test(text)]).toEqual([url, true]);
    // The client's package and class keep their names.
    expect([url, text.match(/.{30}(?<![@"\\/])\bTintype\b(?!\()(?! \}).{10}/)?.[0]]).toEqual([url, undefined]);
  }
});

test("pages come to life under the operator's name, with the operator's legal data and texts", async ({ page }) => {
  await page.goto(`${origin}/`);
  await expect(page).toHaveTitle("Salt & Silver: compress, resize, upscale and cut out images");
  const home = page.getByRole("banner").getByRole("link", { name: "Salt & Silver, home" });
  await expect(home.locator(".wordmark")).toHaveCSS("background-image", `url("${origin}/brand/logo")`);
  await expect(page.getByRole("contentinfo")).toContainText("Salt Pictures Private Limited");
  // Through the router, which loads only the page's data.
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms & Conditions" }).click();
  await expect(page).toHaveTitle("Terms & Conditions · Salt & Silver");
  await expect(page.locator("#contact + div")).toContainText("Grievance officer: Asha Rao");
  await expect(page.getByText("the law of Maharashtra, India")).toBeVisible();
  await expect(page.getByText("Last updated May 21, 2025")).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByText("We keep little.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Last updated November 1, 2026")).toBeVisible();
});

test("the operator's colours leave every page accessible, in both lights and on a phone", async ({ page }) => {
  for (const path of ["/", "/pricing", "/terms", "/policy", "/contact"]) {
    await page.goto(origin + path);
    await expect(page.getByRole("contentinfo")).toContainText("help@salt.example");
    expect([path, await violationsOn(page)]).toEqual([path, []]);
  }
});

test("names, prices and limits of the plans are the operator's on every page", async ({ page }) => {
  const broken: string[] = [];
  page.on("pageerror", ({ message }) => broken.push(message));
  page.on("console", (line) => line.type() === "error" && broken.push(line.text()));
  await page.goto("/pricing");
  await expect(page.getByText("The first 3 need no account")).toBeVisible();
  const starter = page.getByRole("region", { name: "Starter", exact: true });
  await expect(starter).toContainText("€4.50");
  await expect(starter).toContainText("150 credits a day");
  await expect(page.getByRole("region", { name: "Hobby", exact: true })).toContainText("1,200 credits a month");
  const studio = page.getByRole("region", { name: "Studio", exact: true });
  await expect(studio).toContainText("250 files at a time");
  await expect(studio).toContainText("Up to 150 MB");
  // The saving is larger in euros. The label shows what holds for every plan and currency.
  await page.getByRole("radio", { name: "Yearly Save 10%" }).click();
  await expect(studio).toContainText("€180");
  const isOverflowing = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(await isOverflowing()).toBe(false);
  await page.setViewportSize(phone);
  expect(await isOverflowing()).toBe(false);
  expect(await violationsOn(page)).toEqual([]);

  await page.goto("/faqs");
  const cost = page.locator("main");
  await expect(cost).toContainText("Starter is €4.50 a month or €45 a year, Plus €9 or €86.40, Studio €19 or €180.");
  await expect(cost).toContainText("In India it is ₹255 or ₹2,755");
  await page.goto("/terms");
  await expect(page.locator("main")).toContainText("in euros or Indian rupees");
  await page.goto("/api/docs");
  await expect(page.getByRole("row", { name: /^Credits/ })).toHaveText(/3 for good.*1,200 a month.*150 a day/);
  await page.goto("/");
  await expect(page.getByText("Up to 10 MB each, 2 at a time.")).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("3");
  await expect(page.getByText("One photo or 250 at a time.")).toBeVisible();
  await page.goto("/about");
  await expect(page.getByText("Bring a photo, and a moment later take it away, done properly.")).toBeVisible();
  await expect(page.getByRole("img", { name: /tintype/ })).toHaveCount(0);
  expect(broken).toEqual([]);
});

test("programs read the operator's plans, and no mark of the build is left", async () => {
  const home = await (await fetch(`${origin}/`)).text();
  const found = [...home.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
    ([, json = ""]) => json,
  );
  expect(JSON.parse(found.find((json) => json.includes("WebApplication")) ?? "{}")).toMatchObject({
    offers: [
      { name: "Hobby", price: "0", priceCurrency: "EUR" },
      { name: "Starter", price: "4.5", priceCurrency: "EUR" },
      { name: "Plus", price: "9" },
      { name: "Studio", price: "19" },
    ],
  });
  expect(found.join()).not.toMatch(/social\/|icon-512/);
  expect(await (await fetch(`${origin}/llms.txt`)).text()).toContain("Starter: 150 a day, €4.50 a month.");
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  for (const [, url = ""] of sitemap.matchAll(/<loc>([^<]+)<\/loc>/g))
    for (const address of [url, `${url.replace(/\/$/, "/_")}.data`]) {
      const answer = await fetch(address);
      expect([address, /[\uE100-\uE1FF]/.test(await answer.text())]).toEqual([address, false]);
    }
});

test("a company gets an invoice with its GSTIN, as PDF", async ({ page }) => {
  await signedUp(page, { origin });
  await page.goto("/account/transactions");
  const details = page.getByRole("form", { name: "Billing details" });
  await details.getByLabel("Name").fill("Acme Media LLP");
  await details.getByLabel("Address").fill("12 Residency Road\nBengaluru 560025");
  await details.getByLabel("Country").selectOption("India");
  await details.getByLabel("State").selectOption("Maharashtra");
  await details.getByLabel("GSTIN").fill("29AAGCB7383J1Z4");
  await details.getByRole("button", { name: "Save" }).click();
  await expect(details.getByRole("alert")).toHaveText("The GSTIN belongs to another state.");
  await details.getByLabel("State").selectOption("Karnataka");
  await details.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Billing details saved.")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  await page.goto("/pricing");
  await page.getByRole("region", { name: "Plus", exact: true }).getByRole("button", { name: "Upgrade" }).click();
  const question = page.getByRole("dialog", { name: /^Confirm/ });
  await expect(question.getByRole("link", { name: "billing details" })).toBeVisible();
  await expect(question).toContainText("€9");
  await question.getByRole("button", { name: "Confirm" }).click();
  const checkout = page.frameLocator('iframe[title^="Payment"]');
  await checkout.getByText("4111 1111 1111 1111").click();
  await checkout.getByRole("button", { name: /^Pay / }).click();
  await expect(page.getByText("Subscribed to Plus successfully!")).toBeVisible();

  const pdf = page.getByRole("button", { name: /^PDF of invoice TEST-SS\/\d{4}\/000001$/ });
  await expect(async () => {
    await page.goto("/account/transactions");
    await expect(pdf).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(page.getByLabel("GSTIN")).toHaveValue("29AAGCB7383J1Z4");
  expect(await violationsOn(page)).toEqual([]);
  const [file] = await Promise.all([page.waitForEvent("download"), pdf.click()]);
  expect(file.suggestedFilename()).toMatch(/^TEST-SS-\d{4}-000001[.]pdf$/);
});
