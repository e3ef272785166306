import type { ReactNode } from "react";

/** The row of controls below the stage's picture. A phone scrolls it. */
export function StageBar({ children }: { children: ReactNode }) {
  return (
    <div className="no-scrollbar flex min-h-11 shrink-0 items-center justify-between gap-x-4 gap-y-1 border-t border-line px-2 py-1 empty:hidden has-[>:empty:only-child]:hidden max-sm:overflow-x-auto max-sm:*:shrink-0 sm:flex-wrap sm:px-3">
      {children}
    </div>
  );
}
