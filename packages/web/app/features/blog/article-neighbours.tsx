import { Link } from "react-router";
import type { ArticleSummary } from "../../lib/content/articles.server.ts";
import { joinClasses } from "../../lib/join-classes.ts";
import { articlePath } from "../../lib/site/article-path.ts";

type Props = { previous: ArticleSummary | undefined; next: ArticleSummary | undefined };

/** Links to the previous and the next article. */
export function ArticleNeighbours({ previous, next }: Props) {
  return (
    <nav aria-label="More articles" className="mt-16 grid gap-4 sm:grid-cols-2">
      {previous && <Neighbour direction="Previous" article={previous} />}
      {next && <Neighbour direction="Next" article={next} className="sm:col-start-2 sm:text-right" />}
    </nav>
  );
}

type NeighbourProps = { direction: "Previous" | "Next"; article: ArticleSummary; className?: string };

function Neighbour({ direction, article: { slug, title }, className }: NeighbourProps) {
  return (
    <Link
      to={articlePath(slug)}
      rel={direction === "Next" ? "next" : "prev"}
      className={joinClasses(
        "group rounded-lg border border-line bg-surface p-5 transition-colors hover:border-edge",
        className,
      )}
    >
      <span className="block text-sm text-muted">{direction}</span>
      <span className="mt-1 block font-serif text-lg group-hover:underline">{title}</span>
    </Link>
  );
}
