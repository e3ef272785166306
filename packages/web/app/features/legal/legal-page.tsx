import { PageHead } from "../../ui/page-head.tsx";
import { Prose } from "../../ui/prose.tsx";

/** Terms or policy: numbered sections, with a table of contents beside them on wide screens. */
export function LegalPage({ title, html }: { title: string; html: string }) {
  return (
    <div className="page-width">
      <PageHead title={title} />
      <Prose html={html} />
    </div>
  );
}
