import { useRef, useState } from "react";
import { Link } from "react-router";
import { joinClasses } from "../../lib/join-classes.ts";
import { Button } from "../../ui/button.tsx";
import { PauseIcon, PlayIcon } from "../../ui/icons.tsx";
import { useAutoscroll } from "./use-autoscroll.ts";

export type StripQuestion = { id: string; question: string; excerpt: string };

/**
 * The scrolling questions (docs/product.md). The strip pauses while a pointer or the focus is on it and while it is
 * out of view, stops for good when its button is pressed, and does not start for anyone who prefers reduced motion.
 */
export function QuestionStrip({ questions }: { questions: readonly StripQuestion[] }) {
  const strip = useRef<HTMLDivElement>(null);
  const [isHeld, setIsHeld] = useState(false);
  const { isPlaying, toggle } = useAutoscroll(strip, { isHeld });

  return (
    <section aria-labelledby="questions-title" className="mt-24">
      <div className="page-width flex flex-wrap items-end gap-4">
        <h2 id="questions-title" className="mr-auto text-3xl sm:text-4xl">
          Questions and answers
        </h2>
        <Button
          kind="quiet"
          size="sm"
          onClick={toggle}
          aria-label={isPlaying ? "Pause the questions" : "Play the questions"}
        >
          {isPlaying ? <PauseIcon className="size-4" /> : <PlayIcon className="size-4" />}
          {isPlaying ? "Pause" : "Play"}
        </Button>
        <Link
          to="/faqs"
          className="inline-flex min-h-8 items-center rounded-sm text-sm text-muted hover:text-ink hover:underline"
        >
          All questions
        </Link>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only pauses the strip while somebody reads */}
      <div
        ref={strip}
        className="no-scrollbar mt-6 flex overflow-x-auto overscroll-x-contain px-4 py-1"
        onPointerEnter={() => setIsHeld(true)}
        onPointerLeave={() => setIsHeld(false)}
        onFocus={() => setIsHeld(true)}
        onBlur={() => setIsHeld(false)}
      >
        <QuestionCards questions={questions} />
        {/* A second copy makes the loop seamless; it is hidden from screen readers. */}
        <QuestionCards questions={questions} isCopy />
      </div>
    </section>
  );
}

function QuestionCards({ questions, isCopy = false }: { questions: readonly StripQuestion[]; isCopy?: boolean }) {
  return (
    <ul className="flex shrink-0" aria-hidden={isCopy || undefined} inert={isCopy}>
      {questions.map(({ id, question, excerpt }) => (
        <li key={id} className="w-72 shrink-0 pr-4 sm:w-80">
          <Link
            to={`/faqs#${id}`}
            className={joinClasses(
              "block h-full rounded-lg border border-line bg-surface p-5 transition-colors hover:border-edge",
            )}
          >
            <span className="block font-serif text-lg leading-snug">{question}</span>
            <span className="mt-2 line-clamp-3 text-sm text-muted">{excerpt}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
