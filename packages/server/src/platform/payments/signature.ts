import { createHmac } from "node:crypto";
import { isSameText } from "../same-text.ts";

/** Hex HMAC-SHA256, as the gateway signs checkouts and webhooks. */
export const signatureOf = (content: string | Buffer, secret: string): string =>
  createHmac("sha256", secret).update(content).digest("hex");

/** The text that a checkout's signature covers. */
export const checkoutContent = ({ paymentId, subscriptionId }: { paymentId: string; subscriptionId: string }): string =>
  `${paymentId}|${subscriptionId}`;

export const isSigned = (
  content: string | Buffer,
  { signature, secret }: { signature: string; secret: string },
): boolean => isSameText(signature.toLowerCase(), signatureOf(content, secret));
