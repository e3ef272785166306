import { text } from "@tintype/contract";
import { isRouteErrorResponse, Link } from "react-router";
import { ArticleView } from "../features/blog/article-view.tsx";
import { OpenInStudio } from "../features/studio/open-in-studio.tsx";
import { readArticles, summaryOf } from "../lib/content/articles.server.ts";
import { pageMeta, unlistedMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { articlePath } from "../lib/site/paths.ts";
import { articleData, breadcrumbs } from "../lib/site/structured-data.ts";
import { buttonClasses } from "../ui/button.tsx";
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
      door={<OpenInStudio tool={tool} targetFormat={target_format} invitation={invitation} />}
    />
  );
}

/** Client-side navigation asks for an article's data, and there are none. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <ArticleNotFound />;
  throw error;
}

/** For a path under `/blog` that has no article. */
function ArticleNotFound() {
  return (
    <div className="page-width py-24 text-center">
      <h1 className="text-4xl sm:text-5xl">{text.blogNotFound}</h1>
      <p className="mt-4 text-muted">There is no article at this address. See the full list instead.</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <Link to="/blog" className={buttonClasses({ kind: "primary", size: "lg" })}>
          See all articles
        </Link>
        <Link to="/" className={buttonClasses({ size: "lg" })}>
          Go to the studio
        </Link>
      </div>
    </div>
  );
}
