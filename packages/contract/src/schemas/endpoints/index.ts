import type { Endpoint } from "../endpoint.ts";
import { aboutEndpoints } from "./about.ts";
import { accountEndpoints } from "./account.ts";
import { billingEndpoints } from "./billing.ts";
import { jobEndpoints } from "./jobs.ts";
import { keyEndpoints } from "./keys.ts";
import { recipeEndpoints } from "./recipes.ts";
import { toolEndpoints } from "./tools.ts";
import { webhookEndpoints } from "./webhooks.ts";

export { taskEndpoints } from "./tools.ts";

/** Every call of the API. The server mounts these rows. The client and the OpenAPI document are generated from them. */
export const endpoints = {
  ...toolEndpoints,
  ...recipeEndpoints,
  ...jobEndpoints,
  ...accountEndpoints,
  ...keyEndpoints,
  ...webhookEndpoints,
  ...billingEndpoints,
  ...aboutEndpoints,
} as const satisfies Record<string, Endpoint>;
export type EndpointName = keyof typeof endpoints;
