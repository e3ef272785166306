import { createHmac } from "node:crypto";

/** HMAC-SHA256, hexadecimal, as the gateway signs checkouts and webhooks. */
export const signatureOf = (content: string, secret: string): string =>
  createHmac("sha256", secret).update(content).digest("hex");
