import { escapeHtml } from "@tintype/contract";
import { brand } from "../../lib/brand.ts";
import { readArticles } from "../../lib/content/articles.server.ts";
import { siteUrl } from "../../lib/seo.ts";
import { sitePages } from "../../lib/site/pages.ts";
import { articlePath } from "../../lib/site/paths.ts";

/** `/feed.xml`: the articles as an Atom feed (RFC 4287), newest first. */
export function loader(): Response {
  const articles = readArticles().toSorted((a, b) => b.date.localeCompare(a.date));
  const self = `${siteUrl}/feed.xml`;
  const entries = articles.map(({ title, slug, summary, date }) => {
    const url = siteUrl + articlePath(slug);
    return `  <entry>
    <title>${escapeHtml(title)}</title>
    <id>${url}</id>
    <link href="${url}"/>
    <published>${date}T00:00:00Z</published>
    <updated>${date}T00:00:00Z</updated>
    <summary>${escapeHtml(summary)}</summary>
  </entry>`;
  });
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <title>${brand.name}</title>
  <subtitle>${escapeHtml(sitePages.blog.description)}</subtitle>
  <id>${siteUrl}${sitePages.blog.path}</id>
  <link href="${siteUrl}${sitePages.blog.path}"/>
  <link rel="self" href="${self}"/>
  <updated>${articles[0]?.date}T00:00:00Z</updated>
  <author><name>${brand.name}</name></author>
${entries.join("\n")}
</feed>
`;
  return new Response(xml, { headers: { "content-type": "application/atom+xml" } });
}
