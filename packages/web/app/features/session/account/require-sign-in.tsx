import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Person } from "../port.ts";
import { useSession, useSessionState } from "../session-context.tsx";

/**
 * Shows its page to signed-in people. Others are sent home with the login dialog open, and come back here after
 * signing in. Someone who logs out on the page is only sent home.
 */
export function RequireSignIn({ children }: { children(person: Person): ReactNode }) {
  const session = useSession();
  const visitor = useSessionState((state) => state.visitor);
  const { pathname, search } = useLocation();
  const goTo = useNavigate();
  const wasPerson = useRef(false);
  const isGuest = visitor.kind === "guest";
  const isPerson = visitor.kind === "person";
  const problem = useSessionState((state) => state.problem);
  const leave = useEffectEvent(() => {
    void goTo("/", { replace: true });
    if (!wasPerson.current) session.openDialog({ onSuccess: () => void goTo(pathname + search) });
  });
  useEffect(() => {
    if (isPerson) wasPerson.current = true;
    if (isGuest) leave();
  }, [isGuest, isPerson]);
  if (visitor.kind === "person") return children(visitor.person);
  return <p className="page-width min-h-dvh py-24 text-muted">{isGuest ? "" : (problem ?? "Loading...")}</p>;
}
