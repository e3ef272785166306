export type Message = {
  to: string;
  subject: string;
  text: string;
  html?: string;
  replyTo?: string;
  /** The same for each attempt to send it: a mailbox then shows it once. */
  id?: string;
};

/** Sends a mail, or where none can be sent, says so where the operator looks. */
export type Mail = {
  send(message: Message): Promise<void>;
  /** Lets go of connections. */
  close(): void;
};

type MailLog = { info(details: object, message: string): void; warn(details: object, message: string): void };

/** `MAIL=log`: whole mails in the log, with the links in them. Asked for by name, since a link opens an account. */
export const logMail = (log: MailLog): Mail => ({
  async send({ html: _html, ...message }) {
    log.info({ mail: message }, "mail (MAIL=log)");
  },
  close() {},
});

/** No way to send is set: the log says that there was a mail, and how to read it, and nothing of the mail itself. */
export const noMail = (log: MailLog): Mail => ({
  async send() {
    log.warn({}, "a mail was not sent: no SMTP server is configured. Start with MAIL=log to read mails in this log");
  },
  close() {},
});
