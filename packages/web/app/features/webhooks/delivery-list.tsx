import type { WebhookDelivery } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { countOf } from "../../lib/size.ts";
import { Button } from "../../ui/button.tsx";

const stateWords: Record<WebhookDelivery["state"], string> = {
  waiting: "waiting",
  sent: "delivered",
  failed: "failed",
};

/** The latest deliveries, each of which can be sent again. */
export function DeliveryList({ deliveries, onReplayed }: { deliveries: WebhookDelivery[]; onReplayed(): void }) {
  const api = useApi();
  const [problem, setProblem] = useState<string>();

  async function replay(id: string) {
    try {
      await api.call("POST /webhooks/deliveries/{id}/replay", { params: { id } });
      setProblem(undefined);
      onReplayed();
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
    }
  }

  return (
    <section aria-labelledby="deliveries" className="mt-12 min-w-0">
      <h2 id="deliveries" className="text-2xl">
        Deliveries
      </h2>
      <div role="alert">{problem && <p className="mt-4 text-sm text-accent-ink">{problem}</p>}</div>
      {deliveries.length === 0 && <p className="mt-4 text-muted">No deliveries in the last day.</p>}
      <ul className="mt-2 divide-y divide-line">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex flex-wrap items-start gap-x-6 gap-y-3 py-4 text-sm">
            <div className="mr-auto min-w-0">
              <p className="break-all">{delivery.url}</p>
              <p className="text-muted">{describeDelivery(delivery)}</p>
            </div>
            {delivery.state !== "waiting" && (
              <Button size="sm" aria-label={`Send ${delivery.id} again`} onClick={() => void replay(delivery.id)}>
                Send again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** "failed, 5 attempts, last response 503" */
function describeDelivery({ state, attempts, status }: WebhookDelivery): string {
  const response = status === null ? (attempts === 0 ? undefined : "no response") : `last response ${status}`;
  return [stateWords[state], countOf(attempts, "attempt"), response].filter(Boolean).join(", ");
}
