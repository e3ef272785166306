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
type MailLog = {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
};
/** `MAIL=log`: whole mails in the log, with the links in them. Asked for by name, since a link opens an account. */
export declare const logMail: (log: MailLog) => Mail;
/** No way to send is set: the log says that there was a mail, and how to read it, and nothing of the mail itself. */
export declare const noMail: (log: MailLog) => Mail;
export {};
