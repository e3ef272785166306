import { cutFacts, limits } from "@tintype/contract";
import { Link, type MetaDescriptor } from "react-router";
import { ArticleCard } from "../features/blog/article-card.tsx";
import { QuestionStrip } from "../features/faq/question-strip.tsx";
import { Audience } from "../features/home/audience.tsx";
import { readExamples } from "../features/home/examples.server.ts";
import { Examples } from "../features/home/examples.tsx";
import { StudioSection } from "../features/studio/studio-section.tsx";
import { ToolIntroductions } from "../features/studio/tool-introductions.tsx";
import { readArticles, summaryOf } from "../lib/content/articles.server.ts";
import { readQuestions } from "../lib/content/questions.server.ts";
import { planFact } from "../lib/plan-fact.ts";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { webApplication } from "../lib/site/structured-data.ts";
import type { Route } from "./+types/home.ts";

/** From docs/product.md. */
const articlesShown = 3;
/** Characters of an answer on a card of the strip, which shows three lines. */
const excerptLength = 130;

/**
 * The head is made at build time, like the rest of the page, so the code that makes it is not loaded. It is passed as
 * a string because the router's types would recurse without end on a JSON tree.
 */
export const meta = ({ loaderData }: Route.MetaArgs): MetaDescriptor[] =>
  loaderData ? JSON.parse(loaderData.head) : [];

export const loader = () => ({
  head: JSON.stringify(pageMeta({ ...sitePages.home, structuredData: [webApplication()] })),
  examples: readExamples(),
  articles: readArticles().slice(0, articlesShown).map(summaryOf),
  questions: readQuestions().map(({ id, question, plainAnswer }) => ({
    id,
    question,
    excerpt: cutFacts(plainAnswer, excerptLength),
  })),
});

export default function Home({ loaderData: { examples, articles, questions } }: Route.ComponentProps) {
  return (
    <>
      <div className="page-width">
        <div className="pt-8 pb-7 sm:pt-12 sm:pb-9">
          <h1 className="text-[clamp(2rem,4.6vw,3.25rem)]">Compress, resize, upscale and cut out images</h1>
          <p className="mt-3 max-w-2xl text-muted sm:text-lg">
            One photo or {planFact("pro.filesPerBatch", limits.pro.filesPerBatch)} at a time.
            <span className="for-guests"> No account needed to start.</span>
          </p>
        </div>
        <StudioSection />
        <ToolIntroductions />
      </div>
      <Examples examples={examples} />
      <Audience />
      <QuestionStrip questions={questions} />
      <section aria-labelledby="articles-title" className="page-width mt-24">
        <div className="flex flex-wrap items-baseline gap-4">
          <h2 id="articles-title" className="mr-auto text-3xl sm:text-4xl">
            Image formats, taken apart
          </h2>
          <Link to="/blog" className="rounded-sm text-sm text-muted hover:text-ink hover:underline">
            All articles
          </Link>
        </div>
        <div className="mt-8 grid gap-x-8 gap-y-14 sm:grid-cols-2 lg:grid-cols-3">
          {articles.map((article) => (
            <ArticleCard key={article.slug} article={article} headingLevel={3} />
          ))}
        </div>
      </section>
    </>
  );
}
