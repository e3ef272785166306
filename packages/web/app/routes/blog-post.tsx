import { text } from "@tintype/contract";
import { isRouteErrorResponse } from "react-router";
import { ArticleNotFound } from "../features/blog/article-not-found.tsx";
import { ArticleView } from "../features/blog/article-view.tsx";
import { StudioDoor } from "../features/studio/studio-door.tsx";
import { readArticles, summaryOf } from "../lib/content/articles.server.ts";
import { pageMeta, unlistedMeta } from "../lib/seo.ts";
import { articlePath } from "../lib/site/article-path.ts";
import { sitePages } from "../lib/site/pages.ts";
import { articleData, breadcrumbs } from "../lib/site/structured-data.ts";
import type { Route } from "./+types/blog-post.ts";

/** The article and its neighbours; the server answers every unknown slug with the prerendered `/blog/404`. */
export function loader({ params }: Route.LoaderArgs) {
  const articles = readArticles();
  const index = articles.findIndex(({ slug }) => slug === params.slug);
  const at = (place: number) => {
    const article = articles[place];
    return article ? summaryOf(article) : undefined;
  };
  return { article: articles[index], previous: index > 0 ? at(index - 1) : undefined, next: at(index + 1) };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData?.article) return unlistedMeta(text.blogNotFound);
  const { title, summary, slug, date, words } = loaderData.article;
  const path = articlePath(slug);
  return pageMeta({
    title,
    description: summary,
    path,
    card: slug,
    type: "article",
    structuredData: [
      articleData({ title, summary, path, card: slug, date, words }),
      breadcrumbs(sitePages.blog, { title, path }),
    ],
  });
}

export default function BlogPost({ loaderData: { article, previous, next } }: Route.ComponentProps) {
  if (!article) return <ArticleNotFound />;
  const { tool, target_format, invitation } = article;
  return (
    <ArticleView
      article={article}
      previous={previous}
      next={next}
      door={<StudioDoor tool={tool} targetFormat={target_format} invitation={invitation} />}
    />
  );
}

/** Client-side navigation asks for an article's data, and there are none. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <ArticleNotFound />;
  throw error;
}
