import { operationNames, paidPlanNames, tasks } from "@tintype/contract";
import { brand } from "../../lib/brand.ts";
import { readArticles } from "../../lib/content/articles.server.ts";
import { collectFacts } from "../../lib/content/facts.ts";
import { readToolPages } from "../../lib/content/tool-pages.server.ts";
import { siteUrl } from "../../lib/seo.ts";
import { sitePages } from "../../lib/site/pages.ts";
import { articlePath } from "../../lib/site/paths.ts";

/** `/llms.txt` (llmstxt.org): a summary of the site for programs that read text. */
export function loader(): Response {
  const link = ({ path, title, description }: { path: string; title: string; description: string }) =>
    `- [${title}](${siteUrl}${path}): ${description}`;
  const facts = collectFacts();
  const { home: _, ...others } = sitePages;
  const text = `# ${brand.name}

> ${sitePages.home.description}

Tools: ${operationNames.map((name) => tasks[name].label).join(", ")}. One image costs one credit.
Reads ${facts.get("formats.in")}. Writes ${facts.get("formats.out")}.
Without an account: ${facts.get("guest.credits")} credits once. ${facts.get("hobby.label")} (free): ${facts.get("hobby.credits")} a month. ${paidPlanNames
    .map(
      (plan) =>
        `${facts.get(`${plan}.label`)}: ${facts.get(`${plan}.credits`)} a day, ${facts.get(`${plan}.monthly`)} a month`,
    )
    .join(". ")}.

## Pages

${[...Object.values(others), ...readToolPages()].map(link).join("\n")}
- [OpenAPI document](${siteUrl}/api/openapi.json): the API for programs

## Articles

${readArticles()
  .map(({ title, slug, summary }) => link({ path: articlePath(slug), title, description: summary }))
  .join("\n")}
`;
  return new Response(text, { headers: { "content-type": "text/plain" } });
}
