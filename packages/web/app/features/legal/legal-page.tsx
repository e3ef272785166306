import type { LegalText } from "../../lib/content/legal.server.ts";
import { formatDate } from "../../lib/format-date.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Prose } from "../../ui/prose.tsx";

/** Terms or policy: numbered sections, and their list beside them on wide screens. */
export function LegalPage({ title, legalText }: { title: string; legalText: LegalText }) {
  const { updated, lead, sections } = legalText;
  return (
    <div className="page-width">
      <PageHead title={title}>
        <p className="mt-4 text-muted">
          Last updated <time dateTime={updated}>{formatDate(updated)}</time>
        </p>
      </PageHead>
      <div className="gap-16 lg:grid lg:grid-cols-[15rem_minmax(0,44rem)]">
        <nav aria-label="Sections" className="mb-10 lg:mb-0">
          <ol className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2 lg:sticky lg:top-24 lg:grid-cols-1">
            {sections.map(({ id, heading }, index) => (
              <li key={id} className="flex gap-2.5">
                <span className="w-5 shrink-0 text-right text-muted">{index + 1}</span>
                <a href={`#${id}`} className="rounded-sm text-muted hover:text-ink hover:underline">
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div>
          {lead && <Prose html={lead} className="text-lg" />}
          {sections.map(({ id, heading, html }) => (
            <section key={id} aria-labelledby={id} className="not-first:mt-10">
              <h2 id={id} className="mb-3 scroll-mt-24 text-2xl">
                {heading}
              </h2>
              <Prose html={html} />
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}
