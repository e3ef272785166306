import { Link, type MetaDescriptor } from "react-router";
import { QuestionList } from "../features/faq/question-list.tsx";
import { readExamples } from "../features/home/examples.server.ts";
import { ExamplePicture } from "../features/home/examples.tsx";
import { StudioSection } from "../features/studio/studio-section.tsx";
import { useInitialTool } from "../features/studio/work/studio-context.tsx";
import { readToolPages } from "../lib/content/tool-pages.server.ts";
import { pageMeta } from "../lib/seo.ts";
import { breadcrumbs, faqPage, webApplication } from "../lib/site/structured-data.ts";
import { Prose } from "../ui/prose.tsx";
import type { Route } from "./+types/tool.ts";

/** As on the home page, the head comes as a string made at build time. */
export const meta = ({ loaderData }: Route.MetaArgs): MetaDescriptor[] =>
  loaderData ? JSON.parse(loaderData.head) : [];

export function loader({ request }: Route.LoaderArgs) {
  const pathname = new URL(request.url).pathname.replace(/([.]data)?\/?$/, ""); // the router requests data under this name
  const pages = readToolPages();
  const page = pages.find(({ path }) => path === pathname);
  if (!page) throw new Response("There is no such page", { status: 404 });
  const { headline, lead, text, questions, tool, settings } = page;
  return {
    head: JSON.stringify(
      pageMeta({ ...page, structuredData: [webApplication(page), faqPage(questions), breadcrumbs(page)] }),
    ),
    headline,
    lead,
    text,
    questions,
    // Read by the root route, above the studio.
    initialTool: { tool, settings },
    example: readExamples().find((example) => example.operation === tool && Object.keys(settings).length === 0),
    others: pages.filter((other) => other !== page).map(({ path, link }) => ({ path, link })),
  };
}

/** The studio with one tool selected, and the text about that tool. */
export default function ToolPage({
  loaderData: { headline, lead, text, questions, initialTool, example, others },
}: Route.ComponentProps) {
  useInitialTool(initialTool);
  return (
    <div className="page-width">
      <div className="pt-8 pb-7 sm:pt-12 sm:pb-9">
        <h1 className="text-[clamp(2rem,4.6vw,3.25rem)]">{headline}</h1>
        <p className="mt-3 max-w-2xl text-pretty text-muted sm:text-lg">{lead}</p>
      </div>
      <StudioSection />
      <div className="mt-16 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Prose html={text} className="max-w-3xl" />
        {example && (
          <div>
            <ExamplePicture example={example} />
            <p className="mt-3 text-sm text-pretty text-muted">{example.caption}</p>
          </div>
        )}
      </div>
      <section aria-labelledby="questions-title" className="mt-16">
        <h2 id="questions-title" className="mb-6 text-3xl">
          Questions
        </h2>
        <QuestionList questions={questions} />
      </section>
      <nav aria-labelledby="more-title" className="mt-16">
        <h2 id="more-title" className="text-3xl">
          More tools
        </h2>
        <ul className="mt-5 flex flex-wrap gap-x-8 gap-y-1">
          {others.map(({ path, link }) => (
            <li key={path}>
              <Link to={path} className="inline-block rounded-sm py-1.5 text-muted hover:text-ink hover:underline">
                {link}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
