import { useEffect, useState } from "react";
import { useSession } from "./session-context.tsx";
import type { SessionWork } from "./work/create-session-work.ts";

/** The session's actions, loaded as soon as this shows; undefined until then, and when they do not load. */
export function useSessionWork(): SessionWork | undefined {
  const session = useSession();
  const [work, setWork] = useState<SessionWork>();
  useEffect(() => {
    let isHere = true;
    session.load().then(
      (loaded) => isHere && setWork(loaded),
      () => undefined, // the next action says why it cannot be done
    );
    return () => {
      isHere = false;
    };
  }, [session]);
  return work;
}
