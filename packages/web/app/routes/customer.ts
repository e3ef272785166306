import type { Customer } from "../features/billing/customer.ts";
import { useSession, useSessionState } from "../features/session/session-context.tsx";

/** Who is signed in, as the pages about prices and payments ask it. */
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
