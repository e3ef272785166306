import { readReference } from "../features/reference/reference.server.ts";
import { ReferenceView } from "../features/reference/reference-view.tsx";
import { pageMeta, siteUrl } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs } from "../lib/site/structured-data.ts";
import type { Route } from "./+types/api-docs.ts";

export const meta = () => pageMeta({ ...sitePages.apiDocs, structuredData: [breadcrumbs(sitePages.apiDocs)] });

/** Runs at build time: schemas stay out of the browser's bundle, and the server puts its own origin into the examples. */
export const loader = () => readReference(siteUrl);

export default function ApiDocs({ loaderData }: Route.ComponentProps) {
  return <ReferenceView reference={loaderData} />;
}
