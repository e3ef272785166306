import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Outbox } from "../../platform/mail-outbox.ts";
import { type Reader } from "./account-mails.ts";
/** The fields of better-auth's user that a mail needs. */
export type ProviderUser = Reader & {
    id: string;
};
/** The mails of the built-in provider. */
export type ProviderMails = {
    sendReset(user: ProviderUser, url: string): Promise<void>;
    /** @throws APIError TOO_MANY_MAILS */
    sendVerification(user: ProviderUser, token: string): Promise<void>;
    sendPasswordChanged(user: ProviderUser): Promise<void>;
};
/** Whose mails these are in the outbox, where the account's own id is not known yet. */
export declare const outboxOwnerOf: (subject: string) => string;
/**
 * They go by the outbox: a mail server that is slow or down neither slows an answer nor tells by it whether an account
 * exists. One a minute and five a day of each kind go to an address, whoever asks.
 */
export declare function createProviderMails(use: {
    db: Database;
    clock: Clock;
    outbox: Outbox;
    origin: string;
}): ProviderMails;
