import { Suspense, useEffect } from "react";
import { lazyChunk } from "../../../lib/load-chunk.ts";
import { keepUnverified } from "../hint.ts";
import { useSessionState } from "../session-context.tsx";

const VerifyBanner = lazyChunk(() => import("./verify-banner.tsx"));

/** Under the header, for an account with an unverified email. */
export function VerifyNotice() {
  const mustVerify = useSessionState(({ info }) => info?.must_verify_email);
  const hasFailed = useSessionState(({ problem }) => problem !== undefined);
  useEffect(() => {
    if (mustVerify !== undefined) keepUnverified(mustVerify);
  }, [mustVerify]);
  // As tall as the banner: if the email was unverified last time, the layout does not shift when the banner appears.
  const place = (
    <div className="hidden min-h-14.25 border-b border-line bg-sunken max-lg:min-h-26.25 max-[28rem]:min-h-31.25 in-data-unverified:block" />
  );
  if (mustVerify)
    return (
      <Suspense fallback={place}>
        <VerifyBanner />
      </Suspense>
    );
  return hasFailed ? null : place;
}
