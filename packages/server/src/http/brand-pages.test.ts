import {
  aboutLead,
  cutFacts,
  namePlaceholder,
  ownAboutAttribute,
  planFactMark,
  renderLegalText,
  setPlans,
  unnamedOperator,
} from "@tintype/contract";
import { expect, test } from "vitest";
import { readBrand } from "../platform/brand/brand.ts";
import { tintypePlans } from "../platform/brand/plan-rules.ts";
import { brandPage } from "./brand-pages.ts";

const brandOf = (content: string) => readBrand({ content, file: undefined, dataFolder: "." });
const tintype = brandOf("name: Tintype");
const salt = brandOf(`
name: Salt & Silver
colours: { accent: "#0b6e4f", accent_dark: "#4fd1a5" }
support_email: help@salt.example
legal:
  entity: Salt <Pictures> Ltd
  address: |
    1 Mill Road
    Pune
  tax_number: 27AAPFU0939F1ZV
  governing_law: Maharashtra, India
  grievance_officer: { name: Asha Rao, email: asha@salt.example }
`);

const ours = renderLegalText({
  name: "terms",
  updated: "2025-05-21",
  lead: "",
  sections: [
    {
      id: "introduction",
      heading: "Introduction",
      html: `<p>Between you and ${unnamedOperator.operator} ${namePlaceholder}.</p>`,
    },
    { id: "law", heading: "Law", html: `<p>These are governed by ${unnamedOperator.governingLaw}.</p>` },
    { id: "contact", heading: "Contact", html: "<p>Use the form.</p>\n" },
  ],
});
const data = JSON.stringify([{ _1: 2 }, "html", ours, "title"]);
/** As the router streams its data. */
const streamed = `streamController.enqueue(${JSON.stringify(`${data}\n`).replaceAll("<", "\\u003c")});`;
const page = `<head><script id="brand" type="application/json">{"name":"${namePlaceholder}"}</script><style id="brand-style"></style><title>${namePlaceholder}</title><meta property="og:image" content="x"/><meta name="twitter:card" content="summary_large_image"/></head><body><div>${ours}</div><script>window.${streamed}</script></body>`;

test("the name stands escaped in HTML and XML, and as it is in scripts, data and texts", () => {
  const html = brandPage(page, { file: "faqs/index.html", brand: salt });
  expect(html).toContain("<title>Salt &amp; Silver</title>");
  expect(html).toContain('{"name":"Salt & Silver","accent":"#0b6e4f","entity":"Salt \\u003cPictures> Ltd"');
  expect(brandPage(`<t>${namePlaceholder}</t>`, { file: "feed.xml", brand: salt })).toBe("<t>Salt &amp; Silver</t>");
  expect(brandPage(`# ${namePlaceholder}`, { file: "llms.txt", brand: salt })).toBe("# Salt & Silver");
  expect(brandPage("Offline · Tintype&NoBreak;", { file: "offline.html", brand: salt })).toContain(
    "Offline · Salt &amp; Silver",
  );
  expect(html).not.toContain(namePlaceholder);
});

test("another name takes our social card away, and our own keeps it", () => {
  expect(brandPage(page, { file: "index.html", brand: salt })).not.toMatch(/og:image|large_image/);
  const kept = brandPage(page, { file: "index.html", brand: tintype });
  expect(kept).toMatch(/og:image/);
  expect(kept).toContain('<style id="brand-style"></style>');
});

const legalOf = (html: string) => {
  const literal = /enqueue\(("(?:[^"\\]|\\.)*")\)/.exec(html)?.[1] ?? "";
  const [, , text] = JSON.parse(JSON.parse(literal)) as [unknown, unknown, string];
  return text;
};

test("our terms name the operator, the law, the address and the grievance officer, alike in page and data", () => {
  const html = brandPage(page, { file: "terms/index.html", brand: salt });
  const text = legalOf(html);
  expect(text).toContain("Salt &lt;Pictures&gt; Ltd, the operator of Salt & Silver.");
  expect(html).toContain("Salt &lt;Pictures&gt; Ltd, the operator of Salt &amp; Silver.");
  for (const one of [text, html, brandPage(data, { file: "terms.data", brand: salt })]) {
    expect(one).toContain("governed by the law of Maharashtra, India.");
    expect(one).toContain("1 Mill Road<br>Pune<br>Tax number: 27AAPFU0939F1ZV");
    expect(one).toContain("Grievance officer: Asha Rao");
  }
  expect(html).toContain("May 21, 2025");
});

test("Tintype's own terms stay as they are", () => {
  const html = brandPage(page, { file: "terms/index.html", brand: tintype });
  expect(legalOf(html)).toBe(ours.replaceAll(namePlaceholder, "Tintype"));
  expect(html).toContain(ours.replaceAll(namePlaceholder, "Tintype"));
});

test("own terms take the place of ours, in the page and in its data", () => {
  const own = {
    ...salt,
    legal: { ...salt.legal, texts: { terms: { html: "<p>Ours alone, $& too.</p>" }, policy: undefined } },
  };
  const html = brandPage(page, { file: "terms/index.html", brand: own });
  expect(html).toContain("<body><div><p>Ours alone, $& too.</p></div>");
  expect(legalOf(html)).toBe("<p>Ours alone, $& too.</p>");
  expect(brandPage(data, { file: "terms.data", brand: own })).toContain("Ours alone");
  expect(html).not.toContain("Between you and");
});

test("a built legal page that holds no text of ours stops the start", () => {
  expect(() => brandPage("<html></html>", { file: "terms/index.html", brand: salt })).toThrow(
    "/terms has no legal text",
  );
  expect(() => brandPage("[]", { file: "policy.data", brand: salt })).toThrow("/policy has no legal text");
});

const plan = planFactMark;

test("names, prices and limits of the plans stand in pages, data and texts as this process has them", () => {
  const { plans } = brandOf(
    'plans: { mini: { name: "Bits & Bobs", monthly: { USD: 3.5 } }, pro: { credits: 20000, files_per_batch: 300 } }',
  );
  expect(plans).toBeDefined();
  setPlans(plans ?? tintypePlans);
  const html = `<p>${plan("mini.label")}: ${plan("mini.monthly")}, ${plan("pro.credits")}</p><script>["${plan("mini.label")}"]</script>`;
  try {
    expect(brandPage(html, { file: "pricing/index.html", brand: tintype })).toBe(
      '<p>Bits &amp; Bobs: $3.50, 20,000</p><script>["Bits & Bobs"]</script>',
    );
    expect(brandPage(`${plan("pro.filesPerBatch")}${plan("elsewhere")}`, { file: "llms.txt", brand: tintype })).toBe(
      "300 In India it is ₹255 or ₹2,755, ₹425 or ₹4,590, ₹845 or ₹9,130.",
    );
    // 36.50 less than twelve months of Mini, and 10% less than those of the others.
    expect(brandPage(plan("saving"), { file: "x.txt", brand: tintype })).toBe("Save 10%");
    expect(() => brandPage(plan("gold.label"), { file: "x.txt", brand: tintype })).toThrow('called "gold.label"');
  } finally {
    setPlans(tintypePlans);
  }
});

test("a text that is cut keeps its facts whole", () => {
  expect(cutFacts(`ab${plan("mini.label")}cd`, 3)).toBe(`ab${plan("mini.label")}`);
});

test("under another name search engines hear of no picture of ours, and the page about us says nothing of tintypes", () => {
  const about = `<link rel="preload" as="image" imageSrcSet="/a.webp 720w"/><img ${ownAboutAttribute}="" src="/a.webp" srcSet="/a.webp 720w"/><img src="/b.webp" srcSet="/b.webp 1w"/><p>${aboutLead.ours}</p><script type="application/ld+json">{"name":"${namePlaceholder}","screenshot":"/social/site.jpg","publisher":{"name":"x","logo":"/icon-512.png"}}</script>`;
  expect(brandPage(about, { file: "about/index.html", brand: salt })).toBe(
    `<img src="/b.webp" srcSet="/b.webp 1w"/><p>${aboutLead.other}</p><script type="application/ld+json">{"name":"Salt & Silver","publisher":{"name":"x"}}</script>`,
  );
  expect(brandPage(about, { file: "about/index.html", brand: tintype })).toBe(
    about.replace(namePlaceholder, "Tintype"),
  );
});
