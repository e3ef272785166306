import { createContext, type ReactNode, use, useEffect, useRef, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { useStore } from "../../lib/store.ts";
import { useToasts } from "../../ui/toast-area.tsx";
import { isRunning, type StudioState } from "./state/studio-state.ts";
import { createStudio, type Studio } from "./studio.ts";
import type { StudioHost } from "./studio-parts.ts";

const StudioContext = createContext<Studio | undefined>(undefined);

/** Keeps the studio above the pages: pictures and a running batch survive going to another page and back. */
export function StudioProvider({ host, children }: { host: StudioHost; children: ReactNode }) {
  const api = useApi();
  const notify = useToasts();
  // The studio is made once; whom it asks can change with who is signed in.
  const latestHost = useRef(host);
  useEffect(() => {
    latestHost.current = host;
  }, [host]);
  const [studio] = useState(() =>
    createStudio({
      api,
      notify,
      host: {
        outOfCredits: (refused) => latestHost.current.outOfCredits(refused),
        isShortOfCredits: (wanted) => latestHost.current.isShortOfCredits(wanted),
        creditsUsed: (usage) => latestHost.current.creditsUsed(usage),
      },
    }),
  );
  useLeaveWarning(studio);
  return <StudioContext value={studio}>{children}</StudioContext>;
}

export function useStudio(): Studio {
  const studio = use(StudioContext);
  if (!studio) throw new Error("useStudio needs a StudioProvider above it");
  return studio;
}

/** A part of the studio's state; `select` must not build new objects. */
export function useStudioState<Part>(select: (state: StudioState) => Part): Part {
  return useStore(useStudio(), select);
}

/** Uploads under way and results that are not saved would be lost with the page: the browser asks before it goes. */
function useLeaveWarning(studio: Studio): void {
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      const state = studio.read();
      const isUnsaved = state.pictures.some(({ outcome }) => outcome.kind === "done" && !outcome.result.isSaved);
      if (isUnsaved || (isRunning(state) && state.run?.phase === "sending")) event.preventDefault();
    };
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, [studio]);
}
