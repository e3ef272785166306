import { readArticles } from "../../lib/content/articles.server.ts";
import { readToolPages } from "../../lib/content/tool-pages.server.ts";
import { siteUrl } from "../../lib/seo.ts";
import { sitePages } from "../../lib/site/pages.ts";
import { articlePath } from "../../lib/site/paths.ts";

/** `/sitemap.xml` (sitemaps.org): every public page, with a date where one is known. */
export function loader(): Response {
  const pages = [
    ...[...Object.values(sitePages), ...readToolPages()].map(({ path }) => ({ path, date: undefined })),
    ...readArticles().map(({ slug, date }) => ({ path: articlePath(slug), date })),
  ];
  const rows = pages.map(
    ({ path, date }) => `  <url><loc>${siteUrl}${path}</loc>${date ? `<lastmod>${date}</lastmod>` : ""}</url>`,
  );
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${rows.join("\n")}
</urlset>
`;
  return new Response(xml, { headers: { "content-type": "application/xml" } });
}
