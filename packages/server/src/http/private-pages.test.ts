import { setMode } from "@tintype/contract";
import { afterEach, expect, test } from "vitest";
import { readBrand } from "../platform/brand/brand.ts";
import { tintypePlans } from "../platform/brand/plan-rules.ts";
import { brandPage } from "./brand-pages.ts";

afterEach(() => setMode("service"));

const brand = readBrand({ content: "name: Tintype", file: undefined, dataFolder: "." });
const page = `<head><script id="brand" type="application/json">{}</script><style id="brand-style"></style></head>`;
const html = () => brandPage(page, { file: "index.html", brand });

// product: private-mode
test("pages of a private installation hide what is sold before their first paint, and know that nothing is", () => {
  expect(html()).not.toMatch(/credits|private/);
  setMode("private");
  expect(html()).toContain('"mode":"private"');
  expect(html()).toMatch(/<style id="brand-style">.*[.]credits,a\[href="\/pricing"\].*display:none!important/);
});

test("what is said to guests is hidden where none are let in, in both modes", () => {
  const { limits, ...table } = tintypePlans;
  const closed = { ...brand, plans: { ...table, limits: { ...limits, guest: { ...limits.guest, credits: 0 } } } };
  expect(brandPage(page, { file: "index.html", brand: closed })).toContain(".for-guests{display:none!important}");
  expect(html()).not.toContain("for-guests");
});

test("the texts for programs name neither credits nor the page of prices", () => {
  const llms =
    "Tools: Compress. One image costs one credit.\nReads JPEG.\nWithout an account: 5 credits.\n- [Pricing](x): y\n";
  const sitemap = "<urlset>\n  <url><loc>x/pricing</loc></url>\n  <url><loc>x/faqs</loc></url>\n</urlset>\n";
  expect(brandPage(llms, { file: "llms.txt", brand })).toBe(llms);
  setMode("private");
  expect(brandPage(llms, { file: "llms.txt", brand })).toBe("Tools: Compress.\nReads JPEG.\n");
  expect(brandPage(sitemap, { file: "sitemap.xml", brand })).not.toContain("pricing");
});
