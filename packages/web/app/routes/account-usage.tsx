import { UsagePage } from "../features/usage/usage-page.tsx";
import { unlistedMeta } from "../lib/seo.ts";
import { AccountPage } from "./account-page.tsx";

export const meta = () => unlistedMeta("Usage");

export default function AccountUsage() {
  return (
    <AccountPage
      title="Usage"
      introduction="The credits that your pictures cost, by day, tool and key. Days are UTC. Credits that came back are left out."
    >
      {() => <UsagePage />}
    </AccountPage>
  );
}
