import type { ReactNode } from "react";

/** What came of a mailed link, and the way on from there. */
export function Outcome({ sentence, children }: { sentence: string; children: ReactNode }) {
  return (
    <div role="status">
      <p className="mb-6">{sentence}</p>
      {children}
    </div>
  );
}
