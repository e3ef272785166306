import { brand } from "../brand.ts";
import { articlePath, articleSlugs, toolPath, toolSlugs } from "./paths.ts";

/** A public page. One entry here defines its head, its place in the sitemap and in llms.txt, and that it is prerendered. */
export type SitePage = {
  /** From the site's root, without a trailing slash. */
  path: string;
  /** Up to 60 characters; the product's name is added where it fits. */
  title: string;
  /** 50 to 160 characters. */
  description: string;
  /** A social card in `public/social`. */
  card: string;
};

export const sitePages = {
  home: {
    path: "/",
    title: `${brand.name}: compress, resize, upscale and cut out images`,
    description:
      "Compress, resize, upscale, cut out and convert images and photos, one or many at once, in the browser or by API. Deleted from our servers once delivered.",
    card: "site",
  },
  pricing: {
    path: "/pricing",
    title: "Pricing",
    description:
      "Four plans, one of them free: credits per day or month, billed monthly or yearly. Cancel at any time.",
    card: "site",
  },
  about: {
    path: "/about",
    title: "About",
    description: `What ${brand.name} does, why it exists, and what we stand for: exact results, short storage, plain words.`,
    card: "site",
  },
  blog: {
    path: "/blog",
    title: "Blogs",
    description:
      "How image formats work and which to choose: JPG, PNG, WebP, JPEG, SVG and GIF, with figures we measured.",
    card: "blog",
  },
  contact: {
    path: "/contact",
    title: "Contact",
    description: `Write to the people behind ${brand.name}: questions, problems, ideas, and requests about your data.`,
    card: "site",
  },
  faqs: {
    path: "/faqs",
    title: "FAQs",
    description: `Fourteen questions about ${brand.name}, answered: credits, formats, limits, prices, the API, and what happens to your images.`,
    card: "site",
  },
  terms: {
    path: "/terms",
    title: "Terms & Conditions",
    description: `The terms under which ${brand.name} may be used: accounts, subscriptions and payments, limits, content, and the law that applies.`,
    card: "site",
  },
  policy: {
    path: "/policy",
    title: "Privacy Policy",
    description: `What ${brand.name} collects, why, who else sees it, how long it is kept, and how to have it deleted.`,
    card: "site",
  },
  apiDocs: {
    path: "/api/docs",
    title: "API reference",
    description: `Every call of the ${brand.name} API with its fields, responses, errors and a curl example, plus a quick start without an account.`,
    card: "api",
  },
} satisfies Record<string, SitePage>;

/** The path of every public page. */
export const publicPaths: readonly string[] = [
  ...Object.values(sitePages).map(({ path }) => path),
  ...toolSlugs.map(toolPath),
  ...articleSlugs.map(articlePath),
];
