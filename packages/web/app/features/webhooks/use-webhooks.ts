import { text, type Webhook, type WebhookDelivery } from "@tintype/contract";
import { ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { useCallback, useEffect, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";

export const sentenceOf = (problem: unknown): string =>
  problem instanceof ApiProblem || problem instanceof ConnectionLost ? problem.message : text.somethingWrong;

type Read = { webhooks: Webhook[]; deliveries: WebhookDelivery[] };

/** The person's webhooks with their newest deliveries, and the way to read them again after a change. */
export function useWebhooks() {
  const api = useApi();
  const [found, setFound] = useState<Read>();
  const [problem, setProblem] = useState<string>();
  const read = useCallback(async () => {
    try {
      const [{ webhooks }, { deliveries }] = await Promise.all([
        api.call("GET /webhooks", {}),
        api.call("GET /webhooks/deliveries", { query: { size: 20 } }),
      ]);
      setFound({ webhooks, deliveries });
      setProblem(undefined);
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
    }
  }, [api]);
  useEffect(() => void read(), [read]);
  return { found, problem, read };
}
