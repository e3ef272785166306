import type { ReactNode } from "react";

type Props = { label: string; className?: string; children: ReactNode };

/** Scrollable content must be reachable by keyboard too, and then it needs a name (WCAG 2.1.1). */
const reachable = { tabIndex: 0 };

export function Scrollable({ label, className, children }: Props) {
  return (
    <section aria-label={label} {...reachable} className={className}>
      {children}
    </section>
  );
}
