import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Metrics } from "../http/metrics.ts";
import { logMail, type Mail } from "../platform/mail.ts";
import { smtpMail } from "../platform/mail-smtp.ts";

type MailDependencies = { log: FastifyBaseLogger; meter: Pick<Metrics, "countMailFailed"> };

/**
 * Sends mails by SMTP where a server is configured, else to the log.
 * @throws Error where there is an SMTP server and no sender
 */
export function openMail({ SMTP_URL, MAIL_FROM }: Config, { log, meter }: MailDependencies): Mail {
  if (!SMTP_URL) return logMail(log);
  if (!MAIL_FROM) throw new Error("SMTP_URL wants MAIL_FROM beside it: who our mails come from.");
  const smtp = smtpMail({ url: SMTP_URL, from: MAIL_FROM });
  return {
    ...smtp,
    async send(message) {
      try {
        await smtp.send(message);
      } catch (problem) {
        meter.countMailFailed();
        throw problem;
      }
    },
  };
}
