import type { Section } from "../../lib/content/read-sections.ts";

/** The headings of an article, beside it on wide screens. */
export function Contents({ sections }: { sections: readonly Section[] }) {
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
