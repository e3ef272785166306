import { namePlaceholder, planFactMark } from "@tintype/contract";
import { expect, test } from "vitest";
import { readArticles } from "./content/articles.server.ts";
import { readQuestions } from "./content/questions.server.ts";
import { readToolPages } from "./content/tool-pages.server.ts";
import { pageMeta, unlistedMeta } from "./seo.ts";
import { publicPaths, sitePages } from "./site/pages.ts";
import { articlePath } from "./site/paths.ts";
import { articleData, breadcrumbs, faqPage, webApplication } from "./site/structured-data.ts";

/** The placeholder outside a browser, which the server replaces. */
const origin = "https://origin.tintype.invalid";
const cards = import.meta.glob("../../public/social/*.jpg", { query: "?url" });
const pages = [
  ...Object.values(sitePages),
  ...readToolPages().map((page) => ({ ...page, card: "site" })),
  ...readArticles().map(({ title, slug, summary }) => ({
    title,
    description: summary,
    path: articlePath(slug),
    card: slug,
  })),
];

test("every public page has a title and a description of its own, of a length that is shown whole", () => {
  expect(pages.map(({ path }) => path).toSorted()).toEqual([...publicPaths].toSorted());
  for (const key of ["title", "description"] as const)
    expect(new Set(pages.map((page) => page[key])).size).toBe(pages.length);
  for (const { path, title, description } of pages) {
    expect([path, title.length <= 60]).toEqual([path, true]);
    expect([path, description.length >= 50 && description.length <= 160]).toEqual([path, true]);
  }
});

test("every page's social card is there", () => {
  for (const { card } of pages) expect(Object.keys(cards)).toContain(`../../public/social/${card}.jpg`);
});

test("a page says where it is, what it is and how it is shared, with whole addresses", () => {
  const meta = pageMeta({ title: "FAQs", description: "d", path: "/faqs", structuredData: [{ "@type": "Thing" }] });
  expect(meta).toContainEqual({ title: `FAQs · ${namePlaceholder}` });
  expect(meta).toContainEqual({ tagName: "link", rel: "canonical", href: `${origin}/faqs` });
  expect(meta).toContainEqual({ property: "og:image", content: `${origin}/social/site.jpg` });
  expect(meta).toContainEqual({ name: "twitter:card", content: "summary_large_image" });
  expect(meta).toContainEqual({ "script:ld+json": { "@context": "https://schema.org", "@type": "Thing" } });
});

test("a title that would be cut goes without the product's name", () => {
  const title = "A title of fifty-five letters, which leaves no more room";
  expect(pageMeta({ title, description: "d", path: "/x" })[0]).toEqual({ title });
  expect(unlistedMeta("Blog not found")).toContainEqual({ name: "robots", content: "noindex" });
});

test("structured data says what the page shows: fourteen answers, an article, the way there, the prices", () => {
  const faq = faqPage(readQuestions()) as { mainEntity: Array<{ acceptedAnswer: { text: string } }> };
  expect(faq.mainEntity).toHaveLength(14);
  for (const { acceptedAnswer } of faq.mainEntity) expect(acceptedAnswer.text).not.toMatch(/[<{]/);
  const article = articleData({ title: "t", summary: "s", path: "/blog/a", card: "a", date: "2025-05-21", words: 900 });
  expect(article).toMatchObject({ "@type": "Article", headline: "t", datePublished: "2025-05-21", wordCount: 900 });
  expect(breadcrumbs(sitePages.blog)).toMatchObject({
    itemListElement: [
      { position: 1, name: namePlaceholder, item: `${origin}/` },
      { position: 2, name: "Blogs", item: `${origin}/blog` },
    ],
  });
  expect(webApplication()).toMatchObject({
    "@type": "WebApplication",
    offers: [
      { price: "0" },
      { price: planFactMark("mini.offer") },
      { price: planFactMark("plus.offer") },
      { price: planFactMark("pro.offer") },
    ],
  });
});
