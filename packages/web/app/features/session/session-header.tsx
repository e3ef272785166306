import { SiteHeader } from "../../ui/site-header.tsx";
import { AccountArea } from "./account-area.tsx";
import { useSessionState } from "./session-context.tsx";

/** The site's header, with who is signed in and what went wrong about it. */
export function SessionHeader() {
  const problem = useSessionState((state) => state.problem);
  return <SiteHeader account={<AccountArea />} problem={problem} />;
}
