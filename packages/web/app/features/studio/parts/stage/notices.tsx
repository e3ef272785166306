import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { isFocusFree } from "../../../../lib/keep-focus.ts";
import { countOf } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { FileName } from "../../../../ui/file-name.tsx";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

/** Notices about refused files and removed pictures. */
export function Notices() {
  return (
    <>
      <Refusals />
      <Removals />
    </>
  );
}

/** The refused files with the reasons, until the user dismisses them. */
function Refusals() {
  const studio = useStudio();
  const refusals = useStudioState((state) => state.refusals);
  if (refusals.length === 0) return null;
  return (
    <div className="max-md:order-first max-md:mb-2 md:mt-2 flex items-start gap-2 rounded-md bg-sunken px-4 py-2.5 text-sm">
      <ul className="mr-auto min-w-0 self-center break-words">
        {refusals.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Dismiss onClick={() => studio.dispatch({ type: "refusals-read" })} />
    </div>
  );
}

/** The latest removal, until the user undoes or dismisses it. */
function Removals() {
  const studio = useStudio();
  const latest = useStudioState(({ removals }) => removals.at(-1));
  const undo = useRef<HTMLButtonElement>(null);
  // The Remove button may have disappeared with the pictures. Then focus Undo.
  useEffect(() => {
    if (latest && isFocusFree()) undo.current?.focus({ preventScroll: true });
  }, [latest]);
  if (!latest) return null;
  const [first] = latest.entries;
  return (
    <div className="flex items-center max-md:order-first max-md:mb-2 md:mt-2 gap-2 rounded-md bg-sunken px-4 py-1.5 text-sm">
      <p className="mr-auto flex min-w-0">
        {latest.entries.length === 1 && first ? (
          <FileName name={first.picture.name} className="min-w-0" />
        ) : (
          countOf(latest.entries.length, "image")
        )}
        <span className="shrink-0 whitespace-pre"> removed.</span>
      </p>
      <Button ref={undo} size="sm" onClick={() => studio.dispatch({ type: "removal-undone" })}>
        Undo
      </Button>
      <Dismiss onClick={() => studio.dispatch({ type: "removals-accepted" })} />
    </div>
  );
}

function Dismiss({ onClick }: { onClick(): void }) {
  return (
    <button
      type="button"
      aria-label="Dismiss"
      onClick={onClick}
      className="-mr-1.5 inline-flex size-7 shrink-0 items-center justify-center rounded-sm text-muted hover:text-ink"
    >
      <X aria-hidden className="size-4" />
    </button>
  );
}
