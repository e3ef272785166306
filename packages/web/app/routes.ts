import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { toolSlugs } from "./lib/site/paths.ts";

export default [
  index("routes/home.tsx"),
  ...toolSlugs.map((slug) => route(slug, "routes/tool.tsx", { id: slug })),
  route("recipe", "routes/recipe.tsx"),
  route("pricing", "routes/pricing.tsx"),
  route("account", "routes/account.tsx"),
  route("account/transactions", "routes/account-transactions.tsx"),
  route("account/usage", "routes/account-usage.tsx"),
  route("account/keys", "routes/account-keys.tsx"),
  route("account/security", "routes/account-security.tsx"),
  route("account/webhooks", "routes/account-webhooks.tsx"),
  route("account/set-password", "routes/account-set-password.tsx"),
  route("account/join", "routes/account-join.tsx"),
  route("account/verify", "routes/account-verify.tsx"),
  route("about", "routes/about.tsx"),
  route("blog", "routes/blog.tsx"),
  route("blog/:slug", "routes/blog-post.tsx"),
  route("contact", "routes/contact.tsx"),
  route("faqs", "routes/faqs.tsx"),
  route("terms", "routes/terms.tsx"),
  route("policy", "routes/policy.tsx"),
  route("api/docs", "routes/api-docs.tsx"),
  // Texts for crawlers and feed readers, prerendered like the pages.
  route("sitemap.xml", "routes/texts/sitemap.ts"),
  route("feed.xml", "routes/texts/feed.ts"),
  route("robots.txt", "routes/texts/robots.ts"),
  route("llms.txt", "routes/texts/llms.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
