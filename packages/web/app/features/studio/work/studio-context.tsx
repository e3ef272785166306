import {
  createContext,
  type ReactNode,
  use,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { UNSAFE_DataRouterContext } from "react-router";
import { useApi } from "../../../lib/api/context.tsx";
import { useStore } from "../../../lib/store.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { type InitialTool, initialToolEvents } from "../state/initial-tool.ts";
import { isRunning, type StudioState } from "../state/studio-state.ts";
import { cachedResultsKey, countEarlierImages, hasStored, jobsKey, unsentKey } from "./earlier-visit.ts";
import { onGuestUsageChange, readGuestUsage } from "./guest-usage-hint.ts";
import { createStudio, type Studio } from "./studio.ts";
import type { StudioHost } from "./studio-parts.ts";

const StudioContext = createContext<Studio | undefined>(undefined);

/** Holds the studio above the routes, so that pictures and a running batch survive navigation. */
export function StudioProvider({
  host,
  initialTool,
  children,
}: {
  host: StudioHost;
  /** The opening of the page that is loaded first. */
  initialTool?: InitialTool;
  children: ReactNode;
}) {
  const api = useApi();
  const notify = useToasts();
  // The studio is created once, but its host can change.
  const latestHost = useRef(host);
  useEffect(() => {
    latestHost.current = host;
  }, [host]);
  const [studio] = useState(() =>
    createStudio({
      api,
      notify,
      initialTool,
      host: {
        outOfCredits: (batch) => latestHost.current.outOfCredits(batch),
        findShortage: (batch) => latestHost.current.findShortage(batch),
        creditsUsed: (usage) => latestHost.current.creditsUsed(usage),
        signUp: () => latestHost.current.signUp(),
      },
    }),
  );
  useLeaveWarning(studio);
  useGuestUsage(studio);
  // Look once for results and a batch of an earlier visit, on whichever page the user returns to.
  useEffect(() => {
    const count = countEarlierImages();
    if (count > 0) studio.dispatch({ type: "restoring", count });
    if (hasStored(jobsKey) || hasStored(cachedResultsKey) || hasStored(unsentKey)) void studio.begin();
  }, [studio]);
  return <StudioContext value={studio}>{children}</StudioContext>;
}

export function useStudio(): Studio {
  const studio = use(StudioContext);
  if (!studio) throw new Error("useStudio needs a StudioProvider above it");
  return studio;
}

/** Selects the tool of a tool page, also after navigation from another page; not where the same page loads its data again. */
export function useInitialTool(initialTool: InitialTool): void {
  const studio = useStudio();
  const key = JSON.stringify(initialTool);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the tool
  useLayoutEffect(() => {
    for (const event of initialToolEvents(initialTool)) studio.dispatch(event);
  }, [key, studio]);
}

/** A part of the studio's state. `select` must not create new objects. */
export function useStudioState<Part>(select: (state: StudioState) => Part): Part {
  return useStore(useStudio(), select);
}

/**
 * The whole state, deferred, for long lists. React renders a change in short tasks between frames and skips outdated ones. Rendering two
 * hundred rows at once would take longer than a frame.
 */
export const useStateForList = (): StudioState => useDeferredValue(useStudioState(whole));

const whole = (state: StudioState) => state;

/**
 * Whether there are pictures. It becomes true in the same render as the lazy parts that depend on it, if their `Suspense` boundaries are
 * mounted already: React keeps the old page until all of them have loaded. Parts that appeared one by one would move a button away from
 * under the pointer.
 */
export function useHasPictures(): boolean {
  const hasPictures = useStudioState(({ pictures }) => pictures.length > 0);
  const isReady = useDeferredValue(hasPictures) && hasPictures;
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!hasPictures) setIsLate(false);
    if (!hasPictures || isReady) return;
    const timer = setTimeout(() => setIsLate(true), maxWaitMs);
    return () => clearTimeout(timer);
  }, [hasPictures, isReady]);
  return isReady || (hasPictures && isLate);
}

/** After this time a part that is late or fails to load leaves its own place empty and no longer holds up the others. */
const maxWaitMs = 3000;

/**
 * Makes the browser ask before it leaves the page, if that would lose running uploads or unsaved results. It also asks when the router
 * reloads the page because another page's script failed to load, which would lose the pictures.
 */
function useLeaveWarning(studio: Studio): void {
  // `useNavigation` reports it with the next render, which may come after the reload.
  const router = use(UNSAFE_DataRouterContext)?.router;
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      const state = studio.read();
      const isRouterLeaving = router !== undefined && router.state.navigation.state !== "idle";
      const isLosing = state.pictures.some(
        ({ outcome, file }) =>
          (outcome.kind === "done" && !outcome.result.isSaved && !outcome.result.isCached) || (isRouterLeaving && file),
      );
      if (isLosing || (isRunning(state) && state.run?.phase === "sending")) event.preventDefault();
    };
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, [studio, router]);
}

/** Loads a guest's credits as an earlier visit or another tab stored them. */
function useGuestUsage(studio: Studio): void {
  useEffect(() => {
    const read = () => {
      const usage = readGuestUsage();
      if (usage) studio.dispatch({ type: "usage-remembered", usage });
    };
    read();
    return onGuestUsageChange(read);
  }, [studio]);
}
