import type { ReactNode } from "react";
import { ChevronIcon } from "./icons.tsx";

export type AccordionItem = { id: string; title: string; body: ReactNode };

type Props = {
  /** Unique among the accordions of a page. */
  name: string;
  items: readonly AccordionItem[];
};

/**
 * At most one item is open, initially the first: native `details` elements that share a name. Closed content stays in
 * the page for search engines and for "find in page", which opens it.
 */
export function Accordion({ name, items }: Props) {
  return (
    <div className="divide-y divide-line border-y border-line">
      {items.map(({ id, title, body }, index) => (
        <details key={id} id={id} name={name} open={index === 0} className="group">
          <summary className="flex list-none items-center gap-4 rounded-sm py-4 font-medium [&::-webkit-details-marker]:hidden">
            <span className="mr-auto">{title}</span>
            <ChevronIcon className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180" />
          </summary>
          <div className="max-w-3xl pb-5 text-muted">{body}</div>
        </details>
      ))}
    </div>
  );
}
