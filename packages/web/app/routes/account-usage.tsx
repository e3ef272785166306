import { UsagePage } from "../features/usage/usage-page.tsx";
import { isPrivate } from "../lib/brand.ts";
import { unlistedMeta } from "../lib/seo.ts";
import { AccountPage } from "./account-page.tsx";

export const meta = () => unlistedMeta("Usage");

export default function AccountUsage() {
  return (
    <AccountPage
      title="Usage"
      introduction={
        isPrivate
          ? "What you did, by day, tool and key. Days are in UTC. Images that failed are not counted."
          : "The credits your images used, by day, tool and key. Days are in UTC. Returned credits are not counted."
      }
    >
      {() => <UsagePage />}
    </AccountPage>
  );
}
