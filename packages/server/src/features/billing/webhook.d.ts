import type { FastifyInstance } from "fastify";
import { type Reconciling } from "./reconcile.ts";
/** The path for the gateway's events. No row of the public contract: only the gateway calls it. */
export declare const webhookPath = "/api/webhooks/razorpay";
/**
 * Takes an event in, once by its id, and answers; the gateway is asked for its meaning afterwards: neither a
 * slow gateway nor the order of events matters then.
 */
export declare function mountWebhook(app: FastifyInstance, use: Reconciling, { onEvent }: {
    onEvent(): void;
}): Promise<void>;
/** Deals with events that came in: asks the gateway for the present state, again if it does not answer. */
export declare function handleEvents(use: Reconciling): Promise<void>;
