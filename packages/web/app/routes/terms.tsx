import { LegalPage } from "../features/legal/legal-page.tsx";
import { readLegalHtml } from "../lib/content/legal.server.ts";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs } from "../lib/site/structured-data.ts";
import type { Route } from "./+types/terms.ts";

export const meta = () => pageMeta({ ...sitePages.terms, structuredData: [breadcrumbs(sitePages.terms)] });

export const loader = () => ({ html: readLegalHtml("terms") });

export default function Terms({ loaderData }: Route.ComponentProps) {
  return <LegalPage title={sitePages.terms.title} html={loaderData.html} />;
}
