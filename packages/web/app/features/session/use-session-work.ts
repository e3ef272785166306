import { useCallback } from "react";
import { useRead } from "../../lib/use-read.ts";
import type { Methods } from "./port.ts";
import { useSession } from "./session-context.tsx";
import type { SessionWork } from "./work/create-session-work.ts";

/** The session's actions, loaded on mount; undefined until then, and if they do not load: the next action reports why. */
export function useSessionWork(): SessionWork | undefined {
  const session = useSession();
  return useRead(useCallback(() => session.load(), [session])).data;
}

/** The account's sign-in methods, undefined until they are known; `otherwise` if the provider does not answer. */
export function useMethods(fallback?: Methods): Methods | undefined {
  const work = useSessionWork();
  const { data, problem } = useRead(useCallback(async () => work?.methods(), [work]));
  return problem === undefined ? data : fallback;
}
