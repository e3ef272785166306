import { ArticleCard } from "../features/blog/article-card.tsx";
import { readArticles, summaryOf } from "../lib/content/articles.server.ts";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs } from "../lib/site/structured-data.ts";
import { PageHead } from "../ui/page-head.tsx";
import type { Route } from "./+types/blog.ts";

export const meta = () => pageMeta({ ...sitePages.blog, structuredData: [breadcrumbs(sitePages.blog)] });

export const loader = () => ({ articles: readArticles().map(summaryOf) });

export default function Blog({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page-width">
      <PageHead
        title="Image formats, taken apart"
        lead="What is inside the files you send around, what each format is good for, and what it costs in bytes. We measured every figure."
      />
      <div className="grid gap-x-8 gap-y-14 sm:grid-cols-2 lg:grid-cols-3">
        {loaderData.articles.map((article, index) => (
          <ArticleCard key={article.slug} article={article} isFirst={index === 0} headingLevel={2} />
        ))}
      </div>
    </div>
  );
}
