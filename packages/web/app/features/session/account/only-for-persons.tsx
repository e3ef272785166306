import { type ReactNode, useEffect } from "react";
import { useNavigate } from "react-router";
import type { Person } from "../port.ts";
import { useSessionState } from "../session-context.tsx";

/** Shows its page to who is signed in; others are sent home, also when they log out while they look at it. */
export function OnlyForPersons({ children }: { children(person: Person): ReactNode }) {
  const visitor = useSessionState((state) => state.visitor);
  const goTo = useNavigate();
  const isGuest = visitor.kind === "guest";
  useEffect(() => {
    if (isGuest) void goTo("/", { replace: true });
  }, [isGuest, goTo]);
  if (visitor.kind === "person") return children(visitor.person);
  return <p className="page-width py-24 text-muted">{isGuest ? "" : "Loading..."}</p>;
}
