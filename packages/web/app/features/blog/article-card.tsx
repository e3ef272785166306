import { Link } from "react-router";
import type { ArticleSummary } from "../../lib/content/articles.server.ts";
import { articlePath } from "../../lib/site/paths.ts";

type Props = {
  article: ArticleSummary;
  /** In view at once, on a phone too. */
  isFirst?: boolean;
  headingLevel: 2 | 3;
};

export function ArticleCard({ article, isFirst = false, headingLevel }: Props) {
  const { title, slug, summary, cover, cover_alt, date, dateInWords, minutes } = article;
  const Heading = `h${headingLevel}` as const;
  return (
    <article className="group relative flex flex-col">
      <div className="overflow-hidden rounded-lg bg-sunken">
        <img
          {...cover}
          sizes="(min-width: 62rem) 24rem, (min-width: 40rem) 46vw, 92vw"
          alt={cover_alt}
          width={720}
          height={480}
          // The list's largest image must not wait for the scripts.
          {...(isFirst ? { loading: "eager", fetchPriority: "high" } : { loading: "lazy" })}
          className="aspect-3/2 w-full object-cover transition-transform duration-200 group-hover:scale-[1.02]"
        />
      </div>
      <Heading className="mt-4 text-xl">
        <Link to={articlePath(slug)} className="rounded-sm after:absolute after:inset-0 group-hover:underline">
          {title}
        </Link>
      </Heading>
      <p className="mt-2 text-sm text-pretty text-muted">{summary}</p>
      <p className="mt-3 text-xs text-muted">
        <time dateTime={date}>{dateInWords}</time> · {minutes} min
      </p>
    </article>
  );
}
