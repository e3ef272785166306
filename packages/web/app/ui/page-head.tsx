import type { ReactNode } from "react";

type Props = { title: ReactNode; lead?: ReactNode };

/** The head of a text page: its title and lead. */
export function PageHead({ title, lead }: Props) {
  return (
    <div className="pt-10 pb-8 sm:pt-16 sm:pb-12">
      <h1 className="max-w-3xl text-[clamp(2.25rem,5vw,3.5rem)]">{title}</h1>
      {lead && <p className="mt-4 max-w-2xl text-lg text-pretty text-muted">{lead}</p>}
    </div>
  );
}
