import { DomainError } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { Mount } from "../../http/endpoint.ts";
import { listDeliveries, replayDelivery } from "./deliveries.ts";
import {
  accountSecret,
  type Endpoints,
  listWebhooks,
  makeWebhook,
  removeWebhook,
  rotateAccountSecret,
  rotateWebhook,
} from "./endpoints.ts";

/** `isOn`: the operator enables webhooks. */
export function mountWebhooks(mount: Mount, { isOn, ...use }: Endpoints & { isOn: boolean }): void {
  mount(endpoints.listWebhooks, async ({ caller }) => ({ webhooks: await listWebhooks(use, caller.accountId) }));
  mount(endpoints.createWebhook, ({ caller, body }) => {
    if (!isOn)
      throw new DomainError("invalid-request", {
        field: "url",
        detail: "Webhooks are switched off on this server. Follow a job by its events.",
        cause: "TINTYPE_WEBHOOKS is off",
      });
    return makeWebhook(use, caller.accountId, body.url);
  });
  mount(endpoints.rotateWebhook, ({ caller, params, body }) =>
    rotateWebhook(use, caller.accountId, { id: params.id, overlapHours: body.overlap_hours }),
  );
  mount(endpoints.deleteWebhook, ({ caller, params }) => removeWebhook(use, caller.accountId, params.id));
  mount(endpoints.webhookSecret, ({ caller }) => accountSecret(use, caller.accountId));
  mount(endpoints.rotateWebhookSecret, ({ caller, body }) =>
    rotateAccountSecret(use, caller.accountId, body.overlap_hours),
  );
  mount(endpoints.listDeliveries, ({ caller, query }) => listDeliveries(use, caller.accountId, query));
  mount(endpoints.replayDelivery, ({ caller, params }) => replayDelivery(use, caller.accountId, params.id));
}
