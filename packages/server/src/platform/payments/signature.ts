import { createHmac, timingSafeEqual } from "node:crypto";

/** Hex HMAC-SHA256, as the gateway signs checkouts and webhooks. */
export const signatureOf = (content: string | Buffer, secret: string): string =>
  createHmac("sha256", secret).update(content).digest("hex");

/** The text that a checkout's signature covers. */
export const checkoutContent = ({ paymentId, subscriptionId }: { paymentId: string; subscriptionId: string }): string =>
  `${paymentId}|${subscriptionId}`;

/** Compares in constant time, so that timing reveals nothing about a partial match. */
export function isSigned(
  content: string | Buffer,
  { signature, secret }: { signature: string; secret: string },
): boolean {
  const expected = Buffer.from(signatureOf(content, secret));
  const given = Buffer.from(signature.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}
