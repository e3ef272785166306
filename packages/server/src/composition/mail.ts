import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import { logMail, type Mail } from "../platform/mail.ts";
import { smtpMail } from "../platform/mail-smtp.ts";

/**
 * Sends mails by SMTP where a server is configured, else to the log.
 * @throws Error where there is an SMTP server and no sender
 */
export function openMail({ SMTP_URL, MAIL_FROM }: Config, logger: FastifyBaseLogger): Mail {
  if (!SMTP_URL) return logMail(logger);
  if (!MAIL_FROM) throw new Error("SMTP_URL wants MAIL_FROM beside it: who our mails come from.");
  return smtpMail({ url: SMTP_URL, from: MAIL_FROM });
}
