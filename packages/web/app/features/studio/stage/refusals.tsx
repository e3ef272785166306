import { X } from "lucide-react";
import { useStudio, useStudioState } from "../studio-context.tsx";

/** The files that were refused, with the reasons, until the person has read them. Default export: `lazyPart` loads it. */
export default function Refusals() {
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
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => studio.dispatch({ type: "refusals-read" })}
        className="-mr-1.5 inline-flex size-7 shrink-0 items-center justify-center rounded-sm text-muted hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
