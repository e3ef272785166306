import { useEffect } from "react";
import { useLocation } from "react-router";
import type { Question } from "../../lib/content/questions.server.ts";
import { ChevronIcon } from "../../ui/icons.tsx";
import { Prose } from "../../ui/prose.tsx";

/**
 * All questions, of which at most one is open: the one that the URL's hash names, or else the first. They are native
 * `details` elements that share a name: closed answers stay in the page for search engines and for "find in page",
 * which opens them.
 */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
  const { hash } = useLocation();
  useEffect(() => {
    const named = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (named instanceof HTMLDetailsElement) named.open = true;
  }, [hash]);
  return (
    <div className="max-w-4xl divide-y divide-line border-y border-line">
      {questions.map(({ id, question, answer }, index) => (
        <details key={id} id={id} name="questions" open={index === 0} className="group">
          <summary className="flex list-none items-center gap-4 rounded-sm py-4 font-medium [&::-webkit-details-marker]:hidden">
            <span className="mr-auto">{question}</span>
            <ChevronIcon className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180" />
          </summary>
          <div className="max-w-3xl pb-5 text-muted">
            <Prose html={answer} />
          </div>
        </details>
      ))}
    </div>
  );
}
