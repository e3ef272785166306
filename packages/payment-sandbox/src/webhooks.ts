import { createHmac } from "node:crypto";
import type { Clock, Store } from "./store.ts";

/** HMAC-SHA256, hexadecimal, as the gateway signs checkouts and webhooks. */
export const signatureOf = (content: string, secret: string): string =>
  createHmac("sha256", secret).update(content).digest("hex");

type WebhookOptions = { store: Store; clock: Clock; secret: string; url(): string };

/** The gateway's limits: for a response, and for all attempts to deliver an event. */
const responseTimeoutMs = 5_000;
const triedForMs = 24 * 3_600_000;

/** Sends every due webhook; one that is not answered with 2xx is retried with increasing delays. */
export async function deliverWebhooks({ store, clock, secret, url }: WebhookOptions): Promise<void> {
  for (let next = await store.takeWebhook(60_000); next; next = await store.takeWebhook(60_000)) {
    const { id, createdAt, body, tries } = next;
    if (await send(next, { secret, url: url() })) {
      await store.saveWebhook(id, { body: "", tries }, null);
      continue;
    }
    const now = clock.now().getTime();
    const isGivenUp = now - createdAt.getTime() > triedForMs && tries > 3;
    const again = new Date(now + Math.min(3_600_000, 5_000 * 2 ** tries));
    await store.saveWebhook(id, { body, tries: tries + 1 }, isGivenUp ? null : again);
  }
}

async function send(
  { id, body }: { id: string; body: string },
  { secret, url }: { secret: string; url: string },
): Promise<boolean> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Tintype payment sandbox",
      "x-razorpay-signature": signatureOf(body, secret),
      "x-razorpay-event-id": id,
    },
    body,
    signal: AbortSignal.timeout(responseTimeoutMs),
  }).catch(() => undefined);
  await response?.bytes().catch(() => {});
  return response?.ok === true;
}
