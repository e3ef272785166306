import type { Message } from "../../platform/mail.ts";
import { type MailParts } from "../../platform/mail-layout.ts";
/** Somebody who is written to. */
export type Reader = {
    email: string;
    emailVerified: boolean;
    name: string;
};
/** A mail to a person. Their name stands in it only where the address is known to be theirs. */
export declare function writeMail(to: Reader, subject: string, parts: Omit<MailParts, "name" | "title">): Message;
export declare const verificationMail: (to: Reader, { url }: {
    url: string;
}) => Message;
export declare const welcomeMail: (to: Reader, { origin }: {
    origin: string;
}) => Message;
export declare const resetMail: (to: Reader, { url }: {
    url: string;
}) => Message;
export declare const passwordChangedMail: (to: Reader, { origin }: {
    origin: string;
}) => Message;
export declare const newKeyMail: (to: Reader, { origin, label, lastFour }: {
    origin: string;
    label: string;
    lastFour: string;
}) => Message;
export declare const deletedMail: (to: Reader) => Message;
