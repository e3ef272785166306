import { useEffect } from "react";
import { useLocation } from "react-router";
import type { Question } from "../../lib/content/questions.server.ts";
import { Accordion } from "../../ui/accordion.tsx";
import { Prose } from "../../ui/prose.tsx";

/** All questions; one that the URL's hash names is open. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
  const { hash } = useLocation();
  useEffect(() => {
    const named = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (named instanceof HTMLDetailsElement) named.open = true;
  }, [hash]);
  return (
    <div className="max-w-4xl">
      <Accordion
        name="questions"
        items={questions.map(({ id, question, answer }) => ({
          id,
          title: question,
          body: <Prose html={answer} />,
        }))}
      />
    </div>
  );
}
