import type { Message } from "../../platform/mail.ts";
import { type Reader } from "../accounts/account-mails.ts";
import type { Subscription } from "./subscription.ts";
type About = {
    subscription: Subscription;
    origin: string;
};
/** The card is authorised for a plan that begins later; nothing was charged. */
export declare function scheduledMail(to: Reader, { subscription, origin }: About): Message;
/** The first payment arrived: the plan is theirs. */
export declare function beganMail(to: Reader, { subscription, origin }: About): Message;
export declare function renewedMail(to: Reader, { subscription, origin, paymentId }: About & {
    paymentId: string;
}): Message;
export declare function chargeFailedMail(to: Reader, { subscription, origin }: About): Message;
export declare function haltedMail(to: Reader, { subscription, origin }: About): Message;
export declare function cancelledMail(to: Reader, { subscription, origin, end }: About & {
    end: Date;
}): Message;
/** A cancellation or a scheduled change was taken back. */
export declare function resumedMail(to: Reader, { subscription, origin }: About): Message;
type Unused = About & {
    days: number;
    amountMinor: number;
};
/** Another plan took its place within a period. */
export declare function unusedMail(to: Reader, { subscription, origin, days, amountMinor }: Unused): Message;
export declare function refundMail(to: Reader, { subscription, origin }: About): Message;
export {};
