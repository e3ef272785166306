import { createTransport } from "nodemailer";
import type { Mail } from "./mail.ts";

export type SmtpOptions = {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  url: string;
  /** `Tintype <hello@example.com>` */
  from: string;
};

const connectTimeoutMs = 10_000;
const socketTimeoutMs = 20_000;

/**
 * Connects and authenticates without sending anything.
 * @throws Error if the server cannot be reached or refuses us
 */
export async function checkSmtp(url: string): Promise<void> {
  const transport = createTransport({ url, connectionTimeout: connectTimeoutMs, greetingTimeout: connectTimeoutMs });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Mail through an SMTP server (nodemailer). Sending rejects if the server does not accept the mail. */
export function smtpMail({ url, from }: SmtpOptions): Mail {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: socketTimeoutMs,
    },
    // Mails contain user text, which must never make the server read a file or an address.
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  const host = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
  return {
    async send({ id, ...message }) {
      await transport.sendMail({ ...message, ...(id ? { messageId: `<${id}@${host}>` } : {}) });
    },
    close: () => transport.close(),
  };
}
