import { loadPart } from "../lib/load-part.ts";

export type Toasts = {
  error(sentence: string): void;
  success(sentence: string): void;
  info(sentence: string): void;
  /** Whether there has been one: from then on the page holds the area that shows them. */
  isNeeded(): boolean;
  subscribe(listener: () => void): () => void;
};

/** Short messages that pass. Their area is 9 KB of script and comes with the first of them. */
export function createToasts(): Toasts {
  let isNeeded = false;
  const listeners = new Set<() => void>();
  const show = (kind: "error" | "success" | "info") => async (sentence: string) => {
    isNeeded = true;
    for (const listener of listeners) listener();
    const { toast } = await loadPart(() => import("sonner"));
    toast[kind](sentence);
  };
  return {
    error: show("error"),
    success: show("success"),
    info: show("info"),
    isNeeded: () => isNeeded,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
