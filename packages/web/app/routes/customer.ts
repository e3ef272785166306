import { text } from "@tintype/contract";
import { ApiProblem } from "@tintype/contract/api";
import { useEffect, useEffectEvent } from "react";
import type { Customer } from "../features/billing/customer.ts";
import { useSession, useSessionState } from "../features/session/session-context.tsx";
import { useToasts } from "../ui/toasts.tsx";

/** The signed-in person, as the pages about prices and payments need them. */
export function useCustomer(): Customer {
  const session = useSession();
  const kind = useSessionState(({ visitor }) => visitor.kind);
  const info = useSessionState((state) => state.info);
  return {
    kind,
    info,
    logIn: () => session.openDialog(),
    refresh: async () => (await session.load()).readUserInfo(),
  };
}

/** Account facts loaded before this page may be stale; where there are none, the header is loading them already. */
export function useRefreshOnMount({ info, refresh }: Customer): void {
  const notify = useToasts();
  const refreshInfo = useEffectEvent(() => {
    if (!info) return;
    refresh().catch((problem: unknown) =>
      notify.error(problem instanceof ApiProblem ? text.fetchUserFailed : text.fetchUserError),
    );
  });
  useEffect(() => refreshInfo(), []);
}
