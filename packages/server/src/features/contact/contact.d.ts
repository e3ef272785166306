import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Mail } from "../../platform/mail.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
type ContactDependencies = {
    db: Database;
    clock: Clock;
    mail: Mail;
    rateLimits: RateLimits;
    /** The address that receives the messages; without it they are only stored. */
    contactEmail: string | undefined;
    /** A keyed hash of the sender's network. */
    networkOf(address: string): string;
};
export type Contact = {
    /** Mails what is stored and has not gone out; what fails is tried again at the next call. */
    sendWaiting(): Promise<void>;
};
/** `POST /contact`: checked, stored, then mailed. Stored first: a mail server that is down loses no message. */
export declare function mountContact(mount: Mount, { db, clock, mail, contactEmail, ...use }: ContactDependencies): Contact;
export {};
