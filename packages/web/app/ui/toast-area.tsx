import { createContext, Suspense, use, useSyncExternalStore } from "react";
import { lazyPart } from "../lib/load-part.ts";
import type { Toasts } from "./toast.ts";

const Toaster = lazyPart(() => import("./toaster.tsx"));

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
