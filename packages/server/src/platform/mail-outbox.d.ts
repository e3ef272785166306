import type { Clock } from "./clock.ts";
import type { Database, Queryable } from "./db/database.ts";
import type { Mail, Message } from "./mail.ts";
export type OutboxMail = {
    /** The event that it tells of: under one key a mail goes out once, however often it is asked for. */
    key: string;
    accountId: string | null;
    message: Message;
};
/** Puts a mail in the outbox, in the transaction of what it tells. */
export declare function putMail(tx: Queryable, { key, accountId, message }: OutboxMail, now: Date): Promise<void>;
type Sending = {
    db: Database;
    clock: Clock;
    mail: Mail;
    log: {
        error(details: object, message: string): void;
    };
};
/** Sends due mails. Of a sent mail only the key stays. */
export declare function sendOutbox({ db, clock, mail, log }: Sending): Promise<void>;
/** Keys are kept as long as the same thing could be told again. */
export declare function forgetMails(db: Database, before: Date): Promise<void>;
/** The outbox as one part: what stands below billing posts by it. */
export type Outbox = {
    /** Keeps a mail and sends it soon; under one key it goes out once. */
    post(mail: OutboxMail): Promise<void>;
    /** Waits for what is being sent. */
    close(): Promise<void>;
};
export declare function createOutbox(use: Sending): Outbox;
export {};
