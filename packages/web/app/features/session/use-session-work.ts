import { useEffect, useState } from "react";
import { useSession } from "./session-context.tsx";
import type { SessionWork } from "./work/create-session-work.ts";

/** The session's actions, loaded on mount; undefined until then, and if they do not load. */
export function useSessionWork(): SessionWork | undefined {
  const session = useSession();
  const [work, setWork] = useState<SessionWork>();
  useEffect(() => {
    let isHere = true;
    session.load().then(
      (loaded) => isHere && setWork(loaded),
      () => undefined, // the next action reports why it failed
    );
    return () => {
      isHere = false;
    };
  }, [session]);
  return work;
}
