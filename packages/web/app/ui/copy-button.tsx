import { useEffect, useState } from "react";
import { copyText } from "../lib/copy-text.ts";

/** How long the confirmation stays, ms. */
const confirmationMs = 2000;

/** Copies a text to the clipboard and confirms it, to screen readers too. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), confirmationMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (button: Element) =>
    copyText(text, button).then(
      () => setState("copied"),
      () => setState("refused"), // the browser may deny access: the text can still be selected
    );
  const words = { idle: "Copy", copied: "Copied", refused: "Select and copy it by hand" }[state];
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => void copy(currentTarget)}
      // The accessible name contains the visible label (WCAG 2.5.3).
      aria-label={state === "idle" ? label : `${words}. ${label}`}
      className="inline-flex min-h-8 items-center rounded-sm px-2.5 text-xs font-medium text-muted transition-colors hover:bg-page hover:text-ink"
    >
      <span aria-live="polite">{words}</span>
    </button>
  );
}
