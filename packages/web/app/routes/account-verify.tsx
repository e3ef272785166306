import { VerifyAddress } from "../features/session/verification/verify-address.tsx";
import { unlistedMeta } from "../lib/seo.ts";
import { PageHead } from "../ui/page-head.tsx";

export const meta = () => [...unlistedMeta("Verify your email"), { name: "referrer", content: "no-referrer" }];

export default function AccountVerify() {
  return (
    <div className="page-width">
      <PageHead title="Verify your email" />
      <div className="max-w-md">
        <VerifyAddress />
      </div>
    </div>
  );
}
