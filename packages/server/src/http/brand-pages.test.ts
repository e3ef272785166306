import { layLegalText, namePlaceholder, unnamedOperator } from "@tintype/contract";
import { expect, test } from "vitest";
import { readBrand } from "../platform/brand/brand.ts";
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

const ours = layLegalText({
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
