import { siteUrl } from "../../lib/seo.ts";

/** `/robots.txt` (RFC 9309). `/api/docs` is a page like any other; everything else under `/api` is for programs. */
export function loader(): Response {
  const text = `User-agent: *
Allow: /api/docs
Allow: /api/openapi.json
Disallow: /api/
Disallow: /idp/
Disallow: /account

Sitemap: ${siteUrl}/sitemap.xml
`;
  return new Response(text, { headers: { "content-type": "text/plain" } });
}
