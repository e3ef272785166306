import { useCallback } from "react";
import { useRead } from "../../lib/use-read.ts";
import type { Methods } from "./port.ts";
import type { SessionWork } from "./work/create-session-work.ts";

/** The account's sign-in methods, undefined until they are known; `otherwise` if the provider does not answer. */
export function useMethods(work: SessionWork | undefined, otherwise?: Methods): Methods | undefined {
  const { found, problem } = useRead(useCallback(async () => work?.methods(), [work]));
  return problem === undefined ? found : otherwise;
}
