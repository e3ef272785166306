import { z } from "zod";
import { longestOverlapHours } from "../facts/key.ts";
import { exactObject } from "./exact-object.ts";
import { job } from "./job.ts";

function hasCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: "", password: "" };
  return username !== "" || password !== "";
}

/** A URL that the server sends to. Whether its address is allowed is checked when the socket opens. */
export const outwardUrl = z
  .url({ protocol: /^https?$/, error: "Give an address that begins with https://." })
  .refine((url) => !hasCredentials(url), "Give an address without a user name and a password.");
export const webhookUrl = outwardUrl.max(2000, "The address is too long.");

export const webhookEventTypes = ["job.finished"] as const;
const events = z
  .array(z.enum(webhookEventTypes, `There is one event: ${webhookEventTypes.join(", ")}.`))
  .min(1, "Name at least one event.")
  .refine((all) => new Set(all).size === all.length, "Name each event once.");

export const newWebhook = exactObject({
  url: webhookUrl,
  events: events.default([...webhookEventTypes]).meta({ description: "The events that the address is told of." }),
});
export const rotateWebhook = exactObject({
  overlap_hours: z
    .int()
    .min(0)
    .max(longestOverlapHours)
    .default(24)
    .meta({ description: "Hours for which deliveries carry a second signature, by the secret before." }),
});

const previousUntil = z.iso
  .datetime()
  .nullable()
  .meta({ description: "Until then deliveries carry a second signature, by the secret before." });
const secret = z.string().meta({ description: "`whsec_` and the key, as Standard Webhooks has it." });

export const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  created_at: z.iso.datetime(),
  previous_until: previousUntil,
  disabled_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: "When the address answered 410. Nothing is sent to it any more." }),
});
export type Webhook = z.infer<typeof webhook>;
export const webhooks = z.object({ webhooks: z.array(webhook) });
export const webhookWithSecret = webhook.extend({ secret });
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;
/** The secret for deliveries to `webhook_url`. */
export const webhookSecret = z.object({ secret, previous_until: previousUntil });
export type WebhookSecret = z.infer<typeof webhookSecret>;

export const webhookDelivery = z.object({
  id: z.string().meta({ description: "The `webhook-id` header: the same for every attempt." }),
  webhook_id: z.string().nullable().meta({ description: "Null for the `webhook_url` of a single call." }),
  url: z.string(),
  job_id: z.string(),
  state: z.enum(["waiting", "sent", "failed"]),
  attempts: z.int(),
  status: z
    .int()
    .nullable()
    .meta({ description: "The address's last answer. Null: it could not be reached, or was not tried yet." }),
  created_at: z.iso.datetime(),
  next_attempt_at: z.iso.datetime().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
export const webhookDeliveries = z.object({
  deliveries: z.array(webhookDelivery),
  next: z.string().nullable().meta({ description: "Asks for the page after this one, as `before`." }),
});
export type WebhookDeliveries = z.infer<typeof webhookDeliveries>;

/** The body of a delivery. */
export const webhookEvent = z.object({ type: z.literal(webhookEventTypes[0]), timestamp: z.iso.datetime(), data: job });
export type WebhookEvent = z.infer<typeof webhookEvent>;
