import type { Mail } from "./mail.ts";
export type SmtpOptions = {
    /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
    url: string;
    /** `Tintype <hello@example.com>` */
    from: string;
};
/** Mail by an SMTP server (nodemailer). Sending rejects where the server does not take it. */
export declare function smtpMail({ url, from }: SmtpOptions): Mail;
