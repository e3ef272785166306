export type Message = {
  to: string;
  subject: string;
  text: string;
  html?: string;
  replyTo?: string;
  /** The same for every attempt, so that a mailbox shows the mail once. */
  id?: string;
};

/** Sends a mail; if none can be sent, logs that for the operator. */
export type Mail = {
  send(message: Message): Promise<void>;
  /** Closes its connections. */
  close(): void;
};

type MailLog = { info(details: object, message: string): void; warn(details: object, message: string): void };

/** `MAIL=log`: whole mails in the log, including their links. Opt-in, since a link gives access to an account. */
export const logMail = (log: MailLog): Mail => ({
  async send({ html: _html, ...message }) {
    log.info({ mail: message }, "mail (MAIL=log)");
  },
  close() {},
});

/** No mail server is configured: logs the mail without its content, and how to read it. */
export const noMail = (log: MailLog): Mail => ({
  async send() {
    log.warn({}, "a mail was not sent: no SMTP server is configured. Start with MAIL=log to read mails in this log");
  },
  close() {},
});
