import { z } from "zod";
import { maxOverlapHours } from "../facts/key.ts";
import { exactObject } from "./exact-object.ts";
import { job } from "./job.ts";

function hasCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: "", password: "" };
  return username !== "" || password !== "";
}

/** A URL that the server sends to. Whether its address is allowed is checked when the socket opens. */
export const outwardUrl = z
  .url({ protocol: /^https?$/, error: "Enter a URL that starts with https://." })
  .refine((url) => !hasCredentials(url), "Enter a URL without user name and password.");
export const webhookUrl = outwardUrl.max(2000, "The URL is too long.");

export const webhookEventTypes = ["job.finished"] as const;
const events = z
  .array(z.enum(webhookEventTypes, `There is one event: ${webhookEventTypes.join(", ")}.`))
  .min(1, "Choose at least one event.")
  .refine((all) => new Set(all).size === all.length, "Name each event once.");

export const newWebhook = exactObject({
  url: webhookUrl,
  events: events.default([...webhookEventTypes]).meta({ description: "The events that are sent to the URL." }),
});
export const rotateWebhook = exactObject({
  overlap_hours: z
    .int()
    // Two signatures harm nobody, and receivers that have only the previous secret go on working.
    .min(1)
    .max(maxOverlapHours)
    .default(24)
    .meta({ description: "Hours for which deliveries are also signed with the previous secret." }),
});

const previousUntil = z.iso
  .datetime()
  .nullable()
  .meta({ description: "Until then deliveries are also signed with the previous secret." });
const secret = z
  .string()
  .meta({ description: "The signing secret in the form of Standard Webhooks, starting with `whsec_`." });

export const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  created_at: z.iso.datetime(),
  previous_until: previousUntil,
  disabled_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: "When the URL answered 410 Gone. Nothing is sent to it since." }),
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
  webhook_id: z.string().nullable().meta({ description: "Null for the `webhook_url` of a single request." }),
  url: z.string(),
  job_id: z.string(),
  state: z.enum(["waiting", "sent", "failed"]),
  attempts: z.int(),
  status: z.int().nullable().meta({
    description: "The status of the last response. Null if the URL could not be reached or has not been tried.",
  }),
  created_at: z.iso.datetime(),
  next_attempt_at: z.iso.datetime().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
export const webhookDeliveries = z.object({
  deliveries: z.array(webhookDelivery),
  next: z.string().nullable().meta({ description: "Pass it as `before` to get the next page." }),
});
export type WebhookDeliveries = z.infer<typeof webhookDeliveries>;

/** The body of a delivery. */
export const webhookEvent = z.object({ type: z.literal(webhookEventTypes[0]), timestamp: z.iso.datetime(), data: job });
export type WebhookEvent = z.infer<typeof webhookEvent>;
