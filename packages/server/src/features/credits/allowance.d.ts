import { type AllowanceWindow, type TierName } from "@tintype/contract";
/** Whoever credits are counted for, and what decides how many there are. */
export type Holder = {
    key: string;
    tier: TierName;
    /** The network that the call comes from; guests and unverified accounts are counted by it a second time. */
    network?: string;
    /** Of a person: the account that has to be there when credits are taken. */
    accountId?: string;
    /** Of a person; left out where it plays no part. */
    emailVerified?: boolean;
};
/**
 * The allowance of a Hobby account with an unverified address: a guest's, the whole one but at most so many a day
 * from one network, or the whole one.
 */
export type UnverifiedAccounts = "as-guest" | "by-network" | "freely";
/** How a holder is counted. */
export type Counting = {
    credits: number;
    window: AllowanceWindow;
    /** The second counter, a day's. */
    network?: {
        key: string;
        credits: number;
    };
    /** Whether verifying the address brings more. */
    mustVerify: boolean;
};
export type Counters = {
    day: string;
    dayUsed: number;
    month: string;
    monthUsed: number;
    totalUsed: number;
};
export type Usage = {
    used: number;
    limit: number;
    window: AllowanceWindow;
    fastUsed: number;
    fastLimit: number;
    mustVerify: boolean;
};
export declare function countingOf({ tier, network, emailVerified }: Holder, unverified: UnverifiedAccounts): Counting;
/** The counter of this window; one of an earlier window counts as nothing. */
export declare function usageOf(counters: Counters | undefined, { counting, tier, day, month }: {
    counting: Counting;
    tier: TierName;
    day: string;
    month: string;
}): Usage;
/** The first moment of the next window, UTC; a guest's allowance is never renewed. */
export declare function windowEnd(window: "month" | "day", now: Date): Date;
export declare function windowEnd(window: AllowanceWindow, now: Date): Date | undefined;
