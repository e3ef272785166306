import { type ComponentType, lazy } from "react";
import { loadPart } from "./load-part.ts";

/** React's `lazy`, for a part of a page: `Suspense` shows its fallback until the part has come. */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) => lazy(() => loadPart(load));
