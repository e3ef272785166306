import { Link } from "react-router";
import { OnlyForPersons } from "../features/session/account/only-for-persons.tsx";
import { WebhookPage } from "../features/webhooks/webhook-page.tsx";
import { unlistedMeta } from "../lib/seo.ts";

export const meta = () => unlistedMeta("Webhooks");

export default function AccountWebhooks() {
  return (
    <OnlyForPersons>
      {(person) => (
        <div key={person.id} className="page-width pt-10 sm:pt-16">
          <p className="mb-3 text-sm">
            <Link to="/account" className="text-muted underline underline-offset-2 hover:text-ink">
              Account
            </Link>
          </p>
          <h1 className="mb-4 text-4xl">Webhooks</h1>
          <p className="mb-10 max-w-prose text-muted">
            A webhook tells an address of yours that a job has ended. The <Link to="/api/docs">API</Link> begins such
            jobs with <code>Prefer: respond-async</code>.
          </p>
          <WebhookPage />
        </div>
      )}
    </OnlyForPersons>
  );
}
