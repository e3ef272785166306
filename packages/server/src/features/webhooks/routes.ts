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
export function mountWebhooks(mount: Mount, { isOn, ...dependencies }: Endpoints & { isOn: boolean }): void {
  mount(endpoints.listWebhooks, async ({ caller }) => ({
    webhooks: await listWebhooks(dependencies, caller.accountId),
  }));
  mount(endpoints.createWebhook, ({ caller, body }) => {
    if (!isOn)
      throw new DomainError("invalid-request", {
        field: "url",
        detail: "Webhooks are switched off on this server. Follow a job by its events.",
        cause: "TINTYPE_WEBHOOKS is off",
      });
    return makeWebhook(dependencies, caller.accountId, body.url);
  });
  mount(endpoints.rotateWebhook, ({ caller, params, body }) =>
    rotateWebhook(dependencies, caller.accountId, { id: params.id, overlapHours: body.overlap_hours }),
  );
  mount(endpoints.deleteWebhook, ({ caller, params }) => removeWebhook(dependencies, caller.accountId, params.id));
  mount(endpoints.webhookSecret, ({ caller }) => accountSecret(dependencies, caller.accountId));
  mount(endpoints.rotateWebhookSecret, ({ caller, body }) =>
    rotateAccountSecret(dependencies, caller.accountId, body.overlap_hours),
  );
  mount(endpoints.listDeliveries, ({ caller, query }) => listDeliveries(dependencies, caller.accountId, query));
  mount(endpoints.replayDelivery, ({ caller, params }) => replayDelivery(dependencies, caller.accountId, params.id));
}
