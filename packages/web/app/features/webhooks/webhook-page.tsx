import type { WebhookWithSecret } from "@tintype/contract";
import { useState } from "react";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { useWebhooks } from "./use-webhooks.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookRow } from "./webhook-row.tsx";

/** A person's webhooks: make one, copy its secret once, rotate, remove, see what was delivered and send it again. */
export function WebhookPage() {
  const { found, problem, read } = useWebhooks();
  const [made, setMade] = useState<WebhookWithSecret>();

  function show(webhook: WebhookWithSecret) {
    setMade(webhook);
    void read();
  }

  return (
    <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
      <div className="min-w-0">
        <section aria-labelledby="your-webhooks">
          <h2 id="your-webhooks" className="text-2xl">
            Your webhooks
          </h2>
          <div role="status">{made && <NewSecret made={made} />}</div>
          <div role="alert">{problem && <p className="mt-4 text-sm text-accent-ink">{problem}</p>}</div>
          {!found && !problem && <p className="mt-4 text-muted">Loading...</p>}
          {found?.webhooks.length === 0 && <p className="mt-4 text-muted">You have no webhooks yet.</p>}
          <ul className="mt-2 divide-y divide-line">
            {found?.webhooks.map((webhook) => (
              <WebhookRow
                key={webhook.id}
                webhook={webhook}
                onRotated={show}
                onRemoved={() => {
                  if (made?.id === webhook.id) setMade(undefined);
                  void read();
                }}
              />
            ))}
          </ul>
        </section>
        {found && <DeliveryList deliveries={found.deliveries} onReplayed={() => void read()} />}
      </div>
      <WebhookForm onCreated={show} />
    </div>
  );
}

/** The one time that a secret is seen. */
function NewSecret({ made: { secret, url } }: { made: WebhookWithSecret }) {
  return (
    <div className="mt-4 rounded-lg border border-line bg-sunken p-4">
      <p className="text-sm font-medium break-all">Copy the secret of {url} now. It is not shown again.</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <code className="min-w-0 text-sm break-all">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
    </div>
  );
}
