import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Metrics } from "../http/metrics.ts";
import { brandMail } from "../platform/brand/brand-mail.ts";
import { logMail, type Mail, noMail } from "../platform/mail.ts";
import { checkSmtp, smtpMail } from "../platform/mail-smtp.ts";

type MailSettings = Pick<Config, "MAIL" | "SMTP_URL" | "MAIL_FROM" | "isProduction" | "TINTYPE_MODE">;
type MailDependencies = { log: FastifyBaseLogger; meter: Pick<Metrics, "countMailFailed"> };

/** How mails are sent: by SMTP, into the log, or not at all. */
export type MailTransport = { kind: "smtp"; url: string; from: string } | { kind: "log" } | { kind: "none" };

/**
 * Reads how mails are sent: as `MAIL` says, otherwise by SMTP if a server is set.
 * @throws Error if SMTP lacks a setting, or nothing is set in production, where mails would never arrive
 */
export function readMailTransport({
  MAIL,
  SMTP_URL,
  MAIL_FROM,
  isProduction,
  TINTYPE_MODE,
}: MailSettings): MailTransport {
  if (MAIL === "log") return { kind: "log" };
  if (SMTP_URL) {
    if (!MAIL_FROM) throw new Error("SMTP_URL requires MAIL_FROM, the sender of our mails.");
    return { kind: "smtp", url: SMTP_URL, from: MAIL_FROM };
  }
  if (MAIL === "smtp") throw new Error("MAIL=smtp requires SMTP_URL.");
  // A private installation works without mail.
  if (isProduction && TINTYPE_MODE === "service")
    throw new Error(
      "NODE_ENV=production requires SMTP_URL and MAIL_FROM, or MAIL=log to write every mail with its links to the log.",
    );
  return { kind: "none" };
}

/** @throws what `readMailTransport` throws */
export function openMail(settings: MailSettings & Pick<Config, "brand">, dependencies: MailDependencies): Mail {
  return brandMail(openTransport(settings, dependencies), settings.brand);
}

function openTransport(settings: MailSettings, { log, meter }: MailDependencies): Mail {
  const way = readMailTransport(settings);
  if (way.kind === "smtp") {
    // The server starts anyway: mails wait in the database until the mail server is available.
    void checkSmtp(way.url).catch((problem: unknown) =>
      log.error(
        { host: new URL(way.url).host, err: problem },
        "SMTP_URL: the mail server cannot be reached or rejects us; mails are retried",
      ),
    );
    return countFailures(smtpMail(way), meter);
  }
  if (way.kind === "log") return logMail(log);
  log.info({}, "no SMTP server is configured, so mails are not sent; start with MAIL=log to read them in this log");
  return noMail(log);
}

const countFailures = (mail: Mail, meter: MailDependencies["meter"]): Mail => ({
  ...mail,
  async send(message) {
    try {
      await mail.send(message);
    } catch (problem) {
      meter.countMailFailed();
      throw problem;
    }
  },
});
