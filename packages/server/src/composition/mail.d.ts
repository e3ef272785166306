import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Metrics } from "../http/metrics.ts";
import { type Mail } from "../platform/mail.ts";
type MailSettings = Pick<Config, "MAIL" | "SMTP_URL" | "MAIL_FROM" | "isProduction">;
type MailDependencies = {
    log: FastifyBaseLogger;
    meter: Pick<Metrics, "countMailFailed">;
};
/** How mails leave this server: by SMTP, into the log, or not at all. */
export type MailWay = {
    kind: "smtp";
    url: string;
    from: string;
} | {
    kind: "log";
} | {
    kind: "none";
};
/**
 * The way mails leave: what `MAIL` names, else SMTP where a server is set.
 * @throws Error where SMTP lacks a setting, and in production without a setting: mails would never come
 */
export declare function readMailWay({ MAIL, SMTP_URL, MAIL_FROM, isProduction }: MailSettings): MailWay;
/** @throws what `readMailWay` throws */
export declare function openMail(settings: MailSettings, { log, meter }: MailDependencies): Mail;
export {};
