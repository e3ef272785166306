import type { DeskPerson, DeskRole } from "@tintype/contract";
import { type ReactNode, useId } from "react";

export type PersonPartProps = { person: DeskPerson; role: DeskRole; onDone(): Promise<void> };

export function Part({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="text-2xl">
        {title}
      </h3>
      {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      <div className="mt-4 text-sm">{children}</div>
    </section>
  );
}
