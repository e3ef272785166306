import { lazy, Suspense } from "react";
import { SiteHeader } from "../../ui/site-header.tsx";
import { AccountArea } from "./account-area.tsx";
import { useSessionState } from "./session-context.tsx";

const VerifyBanner = lazy(() => import("./verification/verify-banner.tsx"));

/** The site's header, with who is signed in and what went wrong about it, and what their account waits for. */
export function SessionHeader() {
  const problem = useSessionState((state) => state.problem);
  const mustVerify = useSessionState(({ info }) => info?.must_verify_email === true);
  return (
    <>
      <SiteHeader account={<AccountArea />} problem={problem} />
      {mustVerify && (
        <Suspense fallback={null}>
          <VerifyBanner />
        </Suspense>
      )}
    </>
  );
}
