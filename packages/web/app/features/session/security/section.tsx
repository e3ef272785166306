import { type ReactNode, useId } from "react";

/** A section of the page: its heading, its introduction, and the button that adds an item. */
export function Section({
  title,
  introduction,
  button,
  children,
}: {
  title: string;
  introduction: ReactNode;
  button?: ReactNode;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="py-10 first:pt-0">
      <h2 id={id} tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h2>
      <p className="mt-2 max-w-prose text-sm text-muted">{introduction}</p>
      {children}
      {button && <div className="mt-5 flex flex-wrap gap-3">{button}</div>}
    </section>
  );
}
