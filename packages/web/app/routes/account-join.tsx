import { useLocation } from "react-router";
import { JoinByInvitation } from "../features/session/account/join-by-invitation.tsx";
import { unlistedMeta } from "../lib/seo.ts";

export const meta = () => [...unlistedMeta("Invitation"), { name: "referrer", content: "no-referrer" }];

export default function AccountJoin() {
  const hasEnded = new URLSearchParams(useLocation().search).has("ended");
  return (
    <div className="page-width">
      <JoinByInvitation hasEnded={hasEnded} />
    </div>
  );
}
