import { formatDay } from "@tintype/contract";
import { Fragment, type ReactNode } from "react";
import { Link } from "react-router";
import type { Article, ArticleSummary } from "../../lib/content/articles.server.ts";
import type { Section } from "../../lib/content/read-sections.ts";
import { joinClasses } from "../../lib/join-classes.ts";
import { pictureOf } from "../../lib/pictures.ts";
import { articlePath } from "../../lib/site/paths.ts";
import { Prose } from "../../ui/prose.tsx";

type Props = {
  article: Article;
  previous: ArticleSummary | undefined;
  next: ArticleSummary | undefined;
  /** The tool itself, to try on one's own picture. */
  door: ReactNode;
};

/** The tool comes after this many sections: by then the reader knows what it is for. */
const sectionsBeforeDoor = 2;

export function ArticleView({ article, previous, next, door }: Props) {
  const { title, summary, banner, cover_alt, date, minutes, lead, sections } = article;
  return (
    <article className="page-width">
      <header className="pt-8 sm:pt-12">
        <p className="text-sm text-muted">
          <Link to="/blog" className="rounded-sm hover:text-ink hover:underline">
            Blogs
          </Link>
        </p>
        <h1 className="mt-3 max-w-4xl text-[clamp(2.25rem,5vw,3.75rem)]">{title}</h1>
        <p className="mt-4 max-w-2xl text-lg text-pretty text-muted">{summary}</p>
        <p className="mt-4 text-sm text-muted">
          <time dateTime={date}>{formatDay(date)}</time> · {minutes} minutes
        </p>
      </header>
      <img
        {...pictureOf(banner)}
        sizes="(min-width: 78rem) 75rem, 94vw"
        alt={cover_alt}
        width={1280}
        height={548}
        fetchPriority="high"
        className="mt-8 aspect-3/2 w-full rounded-lg bg-sunken object-cover sm:aspect-21/9"
      />
      <div className="mt-10 gap-16 lg:grid lg:grid-cols-[14rem_minmax(0,42rem)] lg:justify-between xl:grid-cols-[15rem_minmax(0,44rem)_8rem]">
        <Contents sections={sections} />
        <div className="text-[1.0625rem] leading-relaxed">
          {lead && <Prose html={lead} className="text-xl leading-relaxed text-pretty" />}
          {sections.map(({ id, heading, html }, index) => (
            <Fragment key={id}>
              {index === sectionsBeforeDoor && <aside className="mt-12">{door}</aside>}
              <section aria-labelledby={id}>
                <h2 id={id} className="mt-12 mb-4 scroll-mt-24 text-[1.75rem]">
                  {heading}
                </h2>
                <Prose html={html} />
              </section>
            </Fragment>
          ))}
          <ArticleNeighbours previous={previous} next={next} />
        </div>
      </div>
    </article>
  );
}

/** The headings of an article, beside it on wide screens. */
function Contents({ sections }: { sections: readonly Section[] }) {
  return (
    <nav aria-label="In this article" className="hidden lg:block">
      <div className="sticky top-24">
        <p className="text-sm font-medium">In this article</p>
        <ol className="mt-3 space-y-2 border-l border-line text-sm">
          {sections.map(({ id, heading }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="-ml-px block border-l border-transparent pl-4 text-muted hover:border-ink hover:text-ink"
              >
                {heading}
              </a>
            </li>
          ))}
        </ol>
      </div>
    </nav>
  );
}

/** Links to the previous and the next article. */
function ArticleNeighbours({ previous, next }: Pick<Props, "previous" | "next">) {
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
