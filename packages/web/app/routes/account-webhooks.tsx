import { Link } from "react-router";
import { WebhookPage } from "../features/webhooks/webhook-page.tsx";
import { unlistedMeta } from "../lib/seo.ts";
import { AccountPage } from "./account-page.tsx";

export const meta = () => unlistedMeta("Webhooks");

export default function AccountWebhooks() {
  return (
    <AccountPage
      title="Webhooks"
      introduction={
        <>
          A webhook tells your server that a job has ended. Start such a job through the <Link to="/api/docs">API</Link>{" "}
          with <code>Prefer: respond-async</code>.
        </>
      }
    >
      {() => <WebhookPage />}
    </AccountPage>
  );
}
