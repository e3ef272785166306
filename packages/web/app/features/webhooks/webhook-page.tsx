import type { WebhookWithSecret } from "@tintype/contract";
import { useCallback, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { useRead } from "../../lib/use-read.ts";
import { ItemList, ShownOnce } from "../../ui/item-list.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookRow } from "./webhook-row.tsx";

/** A person's webhooks: create one, copy its secret once, rotate, remove, see deliveries and resend them. */
export function WebhookPage() {
  const api = useApi();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const [{ webhooks }, { deliveries }] = await Promise.all([
        api.call("GET /webhooks", { signal }),
        api.call("GET /webhooks/deliveries", { query: { size: 20 }, signal }),
      ]);
      return { webhooks, deliveries };
    },
    [api],
  );
  const { data, problem, read } = useRead(load);
  const [made, setMade] = useState<WebhookWithSecret>();

  function show(webhook: WebhookWithSecret) {
    setMade(webhook);
    void read();
  }

  return (
    <ItemList
      title="Your webhooks"
      items={data?.webhooks}
      problem={problem}
      onRetry={() => void read()}
      none="You have no webhooks yet."
      notice={
        made && (
          <ShownOnce
            words={`Copy the secret of ${made.url} now. It is not shown again.`}
            secret={made.secret}
            label="Copy the secret"
          />
        )
      }
      row={(webhook) => (
        <WebhookRow
          key={webhook.id}
          webhook={webhook}
          onRotated={show}
          onRemoved={() => {
            if (made?.id === webhook.id) setMade(undefined);
            void read();
          }}
        />
      )}
      form={<WebhookForm onCreated={show} />}
    >
      {data && <DeliveryList deliveries={data.deliveries} onReplayed={() => void read()} />}
    </ItemList>
  );
}
