import type { DeskPerson, DeskRole } from "@tintype/contract";
import { type ReactNode, useId } from "react";

export type Acting = { person: DeskPerson; role: DeskRole; onDone(): Promise<void> };

export function Part({ title, deeds, children }: { title: string; deeds?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="text-2xl">
        {title}
      </h3>
      {deeds && <div className="mt-3 flex flex-wrap gap-2">{deeds}</div>}
      <div className="mt-4 text-sm">{children}</div>
    </section>
  );
}
