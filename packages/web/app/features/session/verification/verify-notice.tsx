import { Suspense } from "react";
import { lazyPart } from "../../../lib/load-part.ts";
import { useSessionState } from "../session-context.tsx";

const VerifyBanner = lazyPart(() => import("./verify-banner.tsx"));

/** Under the header, for an account whose address waits for the mailed link. */
export function VerifyNotice() {
  const mustVerify = useSessionState(({ info }) => info?.must_verify_email === true);
  if (!mustVerify) return null;
  return (
    <Suspense fallback={null}>
      <VerifyBanner />
    </Suspense>
  );
}
