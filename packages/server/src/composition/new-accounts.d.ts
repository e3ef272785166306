import type { Accounts } from "../features/accounts/accounts.ts";
import type { Clock } from "../platform/clock.ts";
type NewAccounts = {
    clock: Clock;
    secret: string;
    origin: string;
    /** The issuer that mails a link of its own to an unverified address; no second mail goes to it. */
    verifyingIssuer: string | undefined;
};
/** Gives a new account the counters that a deleted one of the same person left, and a welcome by mail. */
export declare function createNewAccounts({ clock, secret, origin, verifyingIssuer }: NewAccounts): Accounts["onMade"];
export {};
