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
import { useToasts } from "../../../ui/toast-area.tsx";
import { type Opening, openingEvents } from "../state/opening.ts";
import { isRunning, type StudioState } from "../state/studio-state.ts";
import { hasLeft, jobsKey, keptKey, unsentKey } from "./earlier-visit.ts";
import { hearGuestUse, readGuestUse } from "./guest-use-hint.ts";
import { createStudio, type Studio } from "./studio.ts";
import type { StudioHost } from "./studio-parts.ts";

const StudioContext = createContext<Studio | undefined>(undefined);

/** Keeps the studio above the pages: pictures and a running batch survive going to another page and back. */
export function StudioProvider({
  host,
  opening,
  children,
}: {
  host: StudioHost;
  /** Of the page that is loaded first. */
  opening?: Opening;
  children: ReactNode;
}) {
  const api = useApi();
  const notify = useToasts();
  // The studio is made once; the API that it asks can change with the session.
  const latestHost = useRef(host);
  useEffect(() => {
    latestHost.current = host;
  }, [host]);
  const [studio] = useState(() =>
    createStudio({
      api,
      notify,
      opening,
      host: {
        outOfCredits: (refused) => latestHost.current.outOfCredits(refused),
        findShortage: (wanted) => latestHost.current.findShortage(wanted),
        creditsUsed: (usage) => latestHost.current.creditsUsed(usage),
        signUp: () => latestHost.current.signUp(),
      },
    }),
  );
  useLeaveWarning(studio);
  useGuestUse(studio);
  // Looks once for results and a batch of an earlier visit, on whatever page the browser comes back to.
  useEffect(() => {
    if (hasLeft(jobsKey) || hasLeft(keptKey) || hasLeft(unsentKey)) studio.begin();
  }, [studio]);
  return <StudioContext value={studio}>{children}</StudioContext>;
}

export function useStudio(): Studio {
  const studio = use(StudioContext);
  if (!studio) throw new Error("useStudio needs a StudioProvider above it");
  return studio;
}

/** On a page of a tool: the studio has that tool chosen, also where the person comes from another page. */
export function useOpening(opening: Opening): void {
  const studio = useStudio();
  const { tool, targetFormat } = opening ?? {};
  useLayoutEffect(() => {
    if (tool) for (const event of openingEvents({ tool, targetFormat })) studio.dispatch(event);
  }, [tool, targetFormat, studio]);
}

/** A part of the studio's state; `select` must not build new objects. */
export function useStudioState<Part>(select: (state: StudioState) => Part): Part {
  return useStore(useStudio(), select);
}

/**
 * Whether there are pictures. It becomes true in one render with the lazy parts that it brings, if their `Suspense` boundaries are on the page
 * already: React keeps the page as it is until all of them have come. Parts that came one after the other would push a button away
 * from under the pointer.
 */
export function useHasPictures(): boolean {
  const hasPictures = useStudioState(({ pictures }) => pictures.length > 0);
  const isReady = useDeferredValue(hasPictures) && hasPictures;
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!hasPictures) setIsLate(false);
    if (!hasPictures || isReady) return;
    const timer = setTimeout(() => setIsLate(true), longestWaitMs);
    return () => clearTimeout(timer);
  }, [hasPictures, isReady]);
  return isReady || (hasPictures && isLate);
}

/** A part that is later than that, or does not come at all, leaves its own place empty and holds up no other. */
const longestWaitMs = 3000;

/**
 * Uploads under way and results that are kept nowhere would be lost with the page: the browser asks before it goes. So it does
 * where the router reloads the page, because another page's script did not come, and would lose the pictures.
 */
function useLeaveWarning(studio: Studio): void {
  // `useNavigation` tells it with the next render, which may come after the reload.
  const router = use(UNSAFE_DataRouterContext)?.router;
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      const state = studio.read();
      const isRouterLeaving = router !== undefined && router.state.navigation.state !== "idle";
      const isLosing = state.pictures.some(
        ({ outcome, file }) =>
          (outcome.kind === "done" && !outcome.result.isSaved && !outcome.result.isKept) || (isRouterLeaving && file),
      );
      if (isLosing || (isRunning(state) && state.run?.phase === "sending")) event.preventDefault();
    };
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, [studio, router]);
}

/** A guest's credits as an earlier visit or another tab heard of them. */
function useGuestUse(studio: Studio): void {
  useEffect(() => {
    const read = () => {
      const usage = readGuestUse();
      if (usage) studio.dispatch({ type: "usage-remembered", usage });
    };
    read();
    return hearGuestUse(read);
  }, [studio]);
}
