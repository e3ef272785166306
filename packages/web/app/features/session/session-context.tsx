import { createContext, type ReactNode, use, useEffect } from "react";
import { useStore } from "../../lib/store.ts";
import type { Session } from "./session.ts";
import type { SessionState } from "./session-state.ts";

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  useEffect(() => session.begin(), [session]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession needs a SessionProvider above it");
  return session;
}

/** A slice of the session's state; `select` must not build new objects. */
export function useSessionState<Part>(select: (state: SessionState) => Part): Part {
  return useStore(useSession(), select);
}
