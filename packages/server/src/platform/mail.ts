export type Message = {
  to: string;
  subject: string;
  text: string;
  html?: string;
  replyTo?: string;
  /** The same for each attempt to send it, so that a mailbox shows it once. */
  id?: string;
};

/** Sends a mail, or where none can be sent, says so where the operator looks. */
export type Mail = {
  send(message: Message): Promise<void>;
  /** Lets go of connections. */
  close(): void;
};

export type MailLog = { info(details: object, message: string): void };

/** Without an SMTP server mails are written to the log, so that a person trying the product out can follow a link. */
export const logMail = (log: MailLog): Mail => ({
  async send({ html: _html, ...message }) {
    log.info({ mail: message }, "mail (no SMTP server is configured)");
  },
  close() {},
});
