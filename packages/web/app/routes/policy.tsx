import { LegalPage } from "../features/legal/legal-page.tsx";
import { readLegalHtml } from "../lib/content/legal.server.ts";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs } from "../lib/site/structured-data.ts";
import type { Route } from "./+types/policy.ts";

export const meta = () => pageMeta({ ...sitePages.policy, structuredData: [breadcrumbs(sitePages.policy)] });

export const loader = () => ({ html: readLegalHtml("policy") });

export default function Policy({ loaderData }: Route.ComponentProps) {
  return <LegalPage title={sitePages.policy.title} html={loaderData.html} />;
}
