import { createContext, Suspense, use, useSyncExternalStore } from "react";
import { lazyChunk, loadChunk } from "../lib/load-chunk.ts";
import { createValue } from "../lib/store.ts";

const Toaster = lazyChunk(() => import("./toaster.tsx"));

/** A toast takes the place of an earlier one with the same id. */
type ToastOptions = { id: string };

export type Toasts = {
  error(sentence: string, options?: ToastOptions): void;
  success(sentence: string, options?: ToastOptions): void;
  info(sentence: string): void;
  /** Whether there has been a toast: from then on the page mounts the toaster. */
  isNeeded(): boolean;
  subscribe(listener: () => void): () => void;
};

/** Toasts. The toaster is 9 KB of script and loads with the first of them. */
export function createToasts(): Toasts {
  const { read: isNeeded, set, subscribe } = createValue(false);
  const show = (kind: "error" | "success" | "info") => async (sentence: string, options?: ToastOptions) => {
    set(true);
    const { toast } = await loadChunk(() => import("sonner"));
    toast[kind](sentence, options);
  };
  return {
    error: show("error"),
    success: show("success"),
    info: show("info"),
    isNeeded,
    subscribe,
  };
}

export const ToastContext = createContext<Toasts | undefined>(undefined);

/** The page's toasts, for every feature. */
export function useToasts(): Toasts {
  const toasts = use(ToastContext);
  if (!toasts) throw new Error("useToasts needs a ToastContext above it");
  return toasts;
}

/** Mounted once on every page; empty until the first toast. */
export function ToastArea() {
  const toasts = useToasts();
  const isNeeded = useSyncExternalStore(toasts.subscribe, toasts.isNeeded, () => false);
  return <Suspense fallback={null}>{isNeeded && <Toaster />}</Suspense>;
}
