import { billedIn, operationNames, paidPlanNames, planLabels, prices, tasks } from "@tintype/contract";
import { brand } from "../brand.ts";
import { planFact } from "../plan-fact.ts";
import { siteUrl } from "../seo.ts";
import { type SitePage, sitePages } from "./pages.ts";

// Structured data (schema.org) for search engines: only what the page itself shows.

const organization = () => ({
  "@type": "Organization",
  name: brand.name,
  url: `${siteUrl}/`,
  logo: `${siteUrl}/icon-512.png`,
});

/** The product, for the home page, or one of its tools, for that tool's page. */
export function webApplication(page?: Pick<SitePage, "title" | "path" | "description">): object {
  const { other } = billedIn;
  return {
    "@type": "WebApplication",
    name: page ? `${brand.name}: ${page.title}` : brand.name,
    url: siteUrl + (page?.path ?? "/"),
    description: (page ?? sitePages.home).description,
    applicationCategory: "MultimediaApplication",
    operatingSystem: "Any",
    browserRequirements: "A current browser",
    featureList: operationNames.map((name) => tasks[name].label),
    screenshot: `${siteUrl}/social/site.jpg`,
    publisher: organization(),
    offers: [
      ...(["hobby", ...paidPlanNames] as const).map((plan) => ({
        "@type": "Offer",
        name: planFact(`${plan}.label`, planLabels[plan]),
        price: plan === "hobby" ? "0" : planFact(`${plan}.offer`, `${(prices[plan].monthly[other] ?? 0) / 100}`),
        priceCurrency: planFact("offer.currency", other),
      })),
    ],
  };
}

/** The path from the home page to a page. */
export function breadcrumbs(...trail: ReadonlyArray<Pick<SitePage, "title" | "path">>): object {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [{ title: brand.name, path: "/" }, ...trail].map(({ title, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: title,
      item: siteUrl + path,
    })),
  };
}

export function faqPage(questions: ReadonlyArray<{ question: string; plainAnswer: string }>): object {
  return {
    "@type": "FAQPage",
    mainEntity: questions.map(({ question, plainAnswer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: plainAnswer },
    })),
  };
}

type ArticleFacts = { title: string; summary: string; path: string; card: string; date: string; words: number };

export function articleData({ title, summary, path, card, date, words }: ArticleFacts): object {
  return {
    "@type": "Article",
    headline: title,
    description: summary,
    image: [`${siteUrl}/social/${card}.jpg`],
    datePublished: date,
    wordCount: words,
    inLanguage: "en",
    mainEntityOfPage: siteUrl + path,
    author: organization(),
    publisher: organization(),
  };
}
