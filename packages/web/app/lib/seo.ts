import type { MetaDescriptor } from "react-router";
import { brand } from "./brand.ts";

/**
 * The site's origin, for absolute URLs (canonical, social cards). The build does not know it: the server replaces
 * this host, which cannot exist (RFC 6761), with its own origin. In a browser, the page's own origin is used.
 */
export const siteUrl = typeof window === "undefined" ? "https://origin.tintype.invalid" : window.location.origin;

/** Search engines truncate titles longer than this. Characters. */
const maxTitleLength = 60;

export type PageFacts = {
  /** Up to 60 characters, without the product's name. */
  title: string;
  /** 50 to 160 characters. */
  description: string;
  /** Path from the site's root: `/pricing`. */
  path: string;
  /** The name of a social card in `public/social`. */
  card?: string;
  type?: "website" | "article";
  /** Structured data for search engines (schema.org). */
  structuredData?: readonly object[];
};

/** Title, description, canonical, Open Graph and Twitter card tags, for a route's `meta`. */
export function pageMeta(facts: PageFacts): MetaDescriptor[] {
  const { description, path, card = "site", type = "website", structuredData = [] } = facts;
  const title = fullTitle(facts.title);
  const url = siteUrl + path;
  const image = `${siteUrl}/social/${card}.jpg`;
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: brand.name },
    { property: "og:type", content: type },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: image },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: image },
    ...structuredData.map((data) => ({ "script:ld+json": { "@context": "https://schema.org", ...data } })),
  ];
}

/** For pages that search engines should not index. */
export const unlistedMeta = (title: string): MetaDescriptor[] => [
  { title: fullTitle(title) },
  { name: "robots", content: "noindex" },
];

function fullTitle(title: string): string {
  if (title.includes(brand.name)) return title;
  const whole = `${title} · ${brand.name}`;
  return whole.length <= maxTitleLength ? whole : title;
}
