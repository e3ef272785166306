import { SetPassword } from "../features/session/account/set-password.tsx";
import { unlistedMeta } from "../lib/seo.ts";
import { PageHead } from "../ui/page-head.tsx";

export const meta = () => [...unlistedMeta("New password"), { name: "referrer", content: "no-referrer" }];

export default function AccountSetPassword() {
  return (
    <div className="page-width">
      <PageHead title="New password" />
      <div className="max-w-md">
        <SetPassword />
      </div>
    </div>
  );
}
