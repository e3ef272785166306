import { page } from "../account.ts";
import type { Endpoint } from "../endpoint.ts";
import {
  newWebhook,
  rotateWebhook,
  webhookDeliveries,
  webhookDelivery,
  webhookSecret,
  webhooks,
  webhookWithSecret,
} from "../webhook.ts";
import { bodyErrors, freshSignInErrors, personErrors } from "./errors.ts";

const read = { tag: "Webhooks", access: "person", scope: "webhooks:read", errors: personErrors } as const;
const write = { tag: "Webhooks", access: "person", scope: "webhooks:write", errors: personErrors } as const;

export const webhookEndpoints = {
  createWebhook: {
    ...write,
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook for the end of asynchronous jobs",
    description: "Deliveries follow Standard Webhooks. The response contains the signing secret.",
    body: newWebhook,
    example: { body: { url: "https://shop.example/tintype" } },
    response: { status: 201, body: webhookWithSecret, description: "The webhook and its secret." },
    errors: [...personErrors, ...bodyErrors, "conflict"],
  },
  listWebhooks: {
    ...read,
    method: "GET",
    path: "/webhooks",
    summary: "List webhooks, newest first",
    response: { status: 200, body: webhooks, description: "The webhooks, without their secrets." },
  },
  deleteWebhook: {
    ...write,
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Delete a webhook and its deliveries",
    response: { status: 204, description: "It is gone." },
    errors: [...personErrors, "not-found"],
  },
  rotateWebhook: {
    ...write,
    method: "POST",
    path: "/webhooks/{id}/rotate",
    summary: "Replace a webhook's secret",
    description: "During the overlap deliveries are signed with both secrets.",
    needsFreshSignIn: true,
    body: rotateWebhook,
    example: { body: { overlap_hours: 24 } },
    response: { status: 200, body: webhookWithSecret, description: "The webhook and its new secret." },
    errors: [...personErrors, ...freshSignInErrors, ...bodyErrors, "not-found"],
  },
  webhookSecret: {
    ...write,
    method: "GET",
    path: "/webhooks/secret",
    summary: "Get the signing secret of `webhook_url`",
    response: { status: 200, body: webhookSecret, description: "The account's secret." },
  },
  rotateWebhookSecret: {
    ...write,
    method: "POST",
    path: "/webhooks/secret/rotate",
    summary: "Replace the signing secret of `webhook_url`",
    needsFreshSignIn: true,
    body: rotateWebhook,
    example: { body: { overlap_hours: 24 } },
    response: { status: 200, body: webhookSecret, description: "The account's new secret." },
    errors: [...personErrors, ...freshSignInErrors, ...bodyErrors],
  },
  listDeliveries: {
    ...read,
    method: "GET",
    path: "/webhooks/deliveries",
    summary: "List webhook deliveries, newest first",
    description: "A job's deliveries are listed for a day after its end.",
    query: page,
    response: { status: 200, body: webhookDeliveries, description: "A page of deliveries." },
  },
  replayDelivery: {
    ...write,
    method: "POST",
    path: "/webhooks/deliveries/{id}/replay",
    summary: "Resend a delivery",
    response: { status: 200, body: webhookDelivery, description: "The delivery, which will be sent again." },
    errors: [...personErrors, "not-found", "conflict"],
  },
} as const satisfies Record<string, Endpoint>;
