import { QuestionList } from "../features/faq/question-list.tsx";
import { readQuestions } from "../lib/content/questions.server.ts";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs, faqPage } from "../lib/site/structured-data.ts";
import { PageHead } from "../ui/page-head.tsx";
import type { Route } from "./+types/faqs.ts";

export const loader = () => ({ questions: readQuestions() });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta({
    ...sitePages.faqs,
    structuredData: [faqPage(loaderData?.questions ?? []), breadcrumbs(sitePages.faqs)],
  });

export default function Faqs({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page-width">
      <PageHead title="FAQs" lead="Fourteen questions people ask before their first image, answered plainly." />
      <QuestionList questions={loaderData.questions} />
    </div>
  );
}
