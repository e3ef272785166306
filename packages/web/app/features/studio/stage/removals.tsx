import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { countOf } from "../../../lib/size.ts";
import { Button } from "../../../ui/button.tsx";
import { useStudio, useStudioState } from "../studio-context.tsx";

/** The pictures that were removed last, until the person restores or dismisses them. Default export: `lazy` loads it. */
export default function Removals() {
  const studio = useStudio();
  const latest = useStudioState(({ removals }) => removals.at(-1));
  const undo = useRef<HTMLButtonElement>(null);
  // The button that took them away may be gone with them: the way back is then the next thing to reach.
  useEffect(() => {
    if (latest && document.activeElement === document.body) undo.current?.focus({ preventScroll: true });
  }, [latest]);
  if (!latest) return null;
  const [first] = latest.taken;
  const what = latest.taken.length === 1 ? first?.picture.name : countOf(latest.taken.length, "picture");
  return (
    <div className="flex items-center max-md:order-first max-md:mb-2 md:mt-2 gap-2 rounded-md bg-sunken px-4 py-1.5 text-sm">
      <p className="mr-auto min-w-0 truncate">{what} removed.</p>
      <Button ref={undo} size="sm" onClick={() => studio.dispatch({ type: "removal-undone" })}>
        Undo
      </Button>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => studio.dispatch({ type: "removals-accepted" })}
        className="-mr-1.5 inline-flex size-7 shrink-0 items-center justify-center rounded-sm text-muted hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
